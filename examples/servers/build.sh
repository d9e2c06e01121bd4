#!/bin/sh
# Builds the named servers, or all whose toolchains are installed: build.sh [go|node|python|java|rust|cpp]...
# Reports on standard error what it leaves out. The exit code is 1 if a build failed.
set -u
cd "$(dirname "$0")" || exit 1

# has LANGUAGE TOOL... leaves the language out if a tool is missing.
has() {
  language=$1
  shift
  for tool; do
    command -v "$tool" >/dev/null || leave_out "there is no $tool"
  done
}

# leave_out REASON ends the build of a language without an error.
leave_out() {
  echo "$language is left out: $1" >&2
  exit 0
}

# again COMMAND... tries a download three times, because a registry may be slow.
again() {
  for pause in 2 10 end; do
    "$@" && return
    test "$pause" != end || return 1
    sleep "$pause"
  done
}

go_() { has go go && (cd go && again go mod download && go build -o server .); }
node_() { has node node npm && (cd node && again npm ci --ignore-scripts --no-progress --loglevel=error); }
python_() {
  has python python3
  test -x python/venv/bin/python3 || python3 -m venv python/venv || return
  again python/venv/bin/pip install -q --disable-pip-version-check --only-binary :all: -r python/requirements.txt &&
    python/venv/bin/python3 -m grpc_tools.protoc -I . --python_out=python --grpc_python_out=python benchmark.proto
}
java_() { has java java mvn && again mvn -q -B -ntp -f java/pom.xml package; }
rust_() { has rust cargo protoc && (cd rust && again cargo fetch -q --locked && cargo build -q --release --locked); }
cpp_() {
  has cpp cmake c++ protoc grpc_cpp_plugin pkg-config
  pkg-config --exists grpc++ protobuf || leave_out 'there is no grpc++, or no protobuf'
  cmake -S cpp -B cpp/build >cpp/build.log && cmake --build cpp/build >>cpp/build.log || { cat cpp/build.log; false; }
}

test $# -gt 0 || set -- go node python java rust cpp
failed=0
for language; do
  case $language in
  go | node | python | java | rust | cpp) ("${language}_") || failed=1 ;;
  *) echo "there is no server in $language" >&2; exit 2 ;;
  esac
done
exit $failed
