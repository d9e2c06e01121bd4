#!/bin/sh
# Starts a service, loads it, and ends with exit code 3 if a requirement is not met, and with 1 if no call succeeds. The results
# are in results.jsonl, the report is in report.md, and the requirements are test cases in junit.xml.
set -eu

# What to change: how your service is started, where it listens, what is called, and what you promise.
: "${SERVICE:=rpcbench serve --stack grpc-go --listen unix:shop.sock}"
: "${TARGET:=unix:shop.sock}"
: "${CALL:=grpc.testing.BenchmarkService/UnaryCall}"
: "${DATA:={\"responseSize\": 100\}}"
: "${REQUIRE:=response_p99<50ms}"
: "${ACCESS:=}" # what a call needs: --cacert ca.pem, --token-file token.txt, or --proto shop.proto without reflection
: "${LOAD:=--rate 500 --in-flight 50 --duration 10s}"
: "${TRIES:=30}" # how often the first call is tried, with a second in between

$SERVICE >service.log 2>&1 &
trap 'kill $!' EXIT
# shellcheck disable=SC2086 # several flags
until rpcbench call "$TARGET" --call "$CALL" --data "$DATA" $ACCESS >first-call.txt 2>&1; do
  kill -0 $! || { cat service.log; exit 1; } # it has ended
  TRIES=$((TRIES - 1))
  [ "$TRIES" -gt 0 ] || { cat first-call.txt; exit 1; }
  sleep 1
done

met=0
# shellcheck disable=SC2086 # several flags
rpcbench load "$TARGET" --call "$CALL" --data "$DATA" $ACCESS $LOAD --require "$REQUIRE" --require 'errors<0.1%' \
  --format markdown --out results.jsonl --overwrite >report.md || met=$?
# Its messages and its exit code are those of load again.
rpcbench report results.jsonl --require "$REQUIRE" --require 'errors<0.1%' --format junit --output junit.xml 2>/dev/null || true
cat report.md >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
exit $met
