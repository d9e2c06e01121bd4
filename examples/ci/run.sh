#!/bin/sh
# Starts a service, loads it, and stops it. The exit code is that of rpcbench load: 3 if a requirement is not met, and 4 if it
# can't be told, as on a busy machine. It is 1 if no call succeeds, 2 if a command is wrong or something answers before the
# service is started, and 130 if interrupted. The results are in results.jsonl, the report is in report.md, and the requirements
# are test cases in junit.xml.
set -eu

# What to change: how your service is started, where it listens, what is called, and what you promise.
: "${SERVICE:=rpcbench serve --stack grpc-go --listen unix:shop.sock}"
: "${TARGET:=unix:shop.sock}"
: "${CALL=grpc.testing.BenchmarkService/UnaryCall}" # empty if TARGET is a URL
: "${DATA={\"responseSize\": 100\}}"                # empty if the request has none
: "${REQUIRE:=response_p99<50ms}"
: "${ACCESS:=}" # what a call needs: --cacert ca.pem, --token-file token.txt, or --proto shop.proto without reflection
: "${LOAD:=--rate 500 --in-flight 50 --duration 10s}"
: "${TRIES:=30}" # how often the first call is tried, with a second in between

service='' load=''
trap 'kill $service $load 2>/dev/null || true; wait' EXIT
trap 'exit 130' HUP INT TERM

# shellcheck disable=SC2086 # several flags
set -- "$TARGET" ${CALL:+--call "$CALL"} ${DATA:+--data "$DATA"} $ACCESS
if rpcbench call "$@" >first-call.txt 2>&1 || ! grep -q 'cannot reach the server' first-call.txt; then
  cat first-call.txt
  echo "$0: this came before the service was started, when nothing should answer" >&2
  exit 2
fi
$SERVICE >service.log 2>&1 &
service=$!
until rpcbench call "$@" >first-call.txt 2>&1; do
  kill -0 $service 2>/dev/null || { cat service.log; echo "$0: the service has ended" >&2; exit 1; }
  TRIES=$((TRIES - 1))
  [ "$TRIES" -gt 0 ] || { cat first-call.txt; exit 1; }
  sleep 1
done

met=0
# shellcheck disable=SC2086 # several flags
rpcbench load "$@" $LOAD --require "$REQUIRE" --require 'errors<0.1%' \
  --format markdown --out results.jsonl --overwrite >report.md &
load=$!
wait $load || met=$?
# Its messages and its exit code are those of load again.
rpcbench report results.jsonl --require "$REQUIRE" --require 'errors<0.1%' --format junit --output junit.xml 2>/dev/null || true
cat report.md >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
exit $met
