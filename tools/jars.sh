#!/usr/bin/env bash
# Holds what Maven downloads to the checksums in java/.mvn/checksums.sha256.
#
#   tools/jars.sh check REPOSITORY          what is in Maven's local repository, and in the workers that were built
#   tools/jars.sh record REPOSITORY         writes the checksums of all that is in a fresh local repository
#
# Maven 3.9 reads that file itself, before it uses what it has downloaded (java/.mvn/maven.config). For Maven 3.8 `make`
# runs the check before a build, for what earlier ones have downloaded, and after it, for the rest.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
list=${CHECKSUMS:-$root/java/.mvn/checksums.sha256}
workers=${WORKERS:-$root/bin/java}
sums() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

# Those files of the list that are in the repository have the content of the list.
check_repository() {
  local there
  there=$(while read -r sum file; do
    if [ -f "$1/$file" ]; then printf '%s  %s\n' "$sum" "$1/$file"; fi
  done <"$list")
  test -z "$there" || sums --check --status <<<"$there" || {
    sums --check <<<"$there" 2>/dev/null | sed -n 's/: FAILED$/ is not what java\/.mvn\/checksums.sha256 says: remove it, and find out where it is from/p'
    return 1
  }
}

# Every jar of a worker, but those of the modules here, has the content of one in the list.
check_workers() {
  local bad=0
  for jar in "$workers"/*/lib/*.jar; do
    module=$(basename "$jar" .jar)
    module=${module%-1-SNAPSHOT}
    if [ ! -f "$jar" ] || [ "$module" = worker ] || [ -d "$root/java/$module" ]; then continue; fi
    if ! grep -q "^$(sums "$jar" | cut -d ' ' -f 1) " "$list"; then
      echo "$jar is not in java/.mvn/checksums.sha256"
      bad=1
    fi
  done
  return $bad
}

case ${1:-} in
check)
  failed=0
  check_repository "$2" || failed=1
  check_workers || failed=1
  exit $failed
  ;;
record)
  cd "$2"
  elsewhere=$(grep '/protoc-[^/]*\.exe$' "$list" || true) # of other systems
  {
    find . -type f \( -name '*.jar' -o -name '*.pom' -o -name '*.exe' -o -name '*.signature' -o -name '*.aar' \) | sed 's/^\.\///' | while read -r file; do sums "$file"; done
    while read -r sum file; do if [ -n "$sum" ] && [ ! -f "$file" ]; then echo "$sum  $file"; fi; done <<<"$elsewhere"
  } | LC_ALL=C sort -k 2 >"$list.new"
  mv "$list.new" "$list"
  ;;
*)
  echo "usage: $0 check|record REPOSITORY" >&2
  exit 2
  ;;
esac
