#!/usr/bin/env bash
# Makes the app of what Maven has built in android/target: classes.dex by D8, resources by aapt2, aligned and signed.
#
#   android/apk.sh OUTPUT.apk VERSION
#
# The key is made the first time, next to the app, and kept: an app is only replaced by one with the same key. Whoever gives the
# app to others signs it with a key of their own: apksigner sign --ks KEYSTORE OUTPUT.apk.
set -euo pipefail
android=$(cd "$(dirname "$0")" && pwd)
target=$android/target
output=$1
version=$2
framework=${ANDROID_FRAMEWORK:-/usr/share/android-framework-res/framework-res.apk}
oldest=26 # Android 8.0
work=$target/apk
rm -rf "$work"
mkdir -p "$work/dex" "$(dirname "$output")"

# What was dexed is kept while the classes are the same: it takes minutes.
classes=("$target"/android-*.jar "$target"/lib/*.jar)
sum=$(cat "${classes[@]}" | sha256sum | cut -d ' ' -f 1)
if [ ! -f "$target/dex-$sum/classes.dex" ]; then
  rm -rf "$target"/dex-*
  java -Xmx2g -cp "$target/tools/r8.jar" com.android.tools.r8.D8 --release --min-api $oldest \
    --lib "$target/tools/android.jar" --output "$work/dex" "${classes[@]}"
  mv "$work/dex" "$target/dex-$sum"
fi

aapt2 compile --dir "$android/res" -o "$work/res.zip"
aapt2 link -I "$framework" --manifest "$android/AndroidManifest.xml" --min-sdk-version $oldest --target-sdk-version 29 \
  --version-code "$(git -C "$android" rev-list --count HEAD 2>/dev/null || echo 1)" --version-name "$version" \
  -o "$work/bare.apk" "$work/res.zip"
jar --update --file "$work/bare.apk" -C "$target/dex-$sum" .
jar --update --file "$work/bare.apk" -C "$target/classes" rpcbench/android/stack/libraries.properties
zipalign -f 4 "$work/bare.apk" "$work/aligned.apk"

key=$(dirname "$output")/key.p12
if [ ! -f "$key" ]; then
  keytool -genkeypair -keystore "$key" -storetype PKCS12 -storepass rpcbench -alias rpcbench -keyalg EC -groupname secp256r1 \
    -validity 10000 -dname CN=rpcbench >/dev/null 2>&1
fi
apksigner sign --ks "$key" --ks-pass pass:rpcbench --min-sdk-version $oldest --out "$work/rpcbench.apk" "$work/aligned.apk"
mv "$work/rpcbench.apk" "$output"
