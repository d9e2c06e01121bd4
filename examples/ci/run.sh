#!/bin/sh
# Starts a service, loads it, and ends with exit code 3 if a requirement is not met. The results are in results.jsonl, the
# report is in report.md, and the requirements are test cases in junit.xml.
set -eu

# What to change: how your service is started, where it listens, what is called, and what you promise.
: "${SERVICE:=rpcbench serve --stack grpc-go --listen unix:shop.sock}"
: "${TARGET:=unix:shop.sock}"
: "${CALL:=grpc.testing.BenchmarkService/UnaryCall}"
: "${DATA:={\"responseSize\": 100\}}"
: "${REQUIRE:=response_p99<50ms}"
: "${LOAD:=--rate 500 --in-flight 50 --duration 10s}"

$SERVICE >service.log 2>&1 &
trap 'kill $!' EXIT
until rpcbench call "$TARGET" --call "$CALL" --data "$DATA" >first-call.txt 2>&1; do
  kill -0 $! || { cat service.log; exit 1; } # it has ended
  sleep 1
done

met=0
# shellcheck disable=SC2086 # several flags
rpcbench load "$TARGET" --call "$CALL" --data "$DATA" $LOAD --require "$REQUIRE" --require 'errors<0.1%' \
  --format markdown --out results.jsonl --overwrite >report.md || met=$?
# Its messages and its exit code are those of load again.
rpcbench report results.jsonl --require "$REQUIRE" --require 'errors<0.1%' --format junit --output junit.xml 2>/dev/null || true
cat report.md >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
exit $met
