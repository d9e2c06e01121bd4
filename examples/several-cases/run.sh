#!/bin/sh
# Starts a service, measures all cases of shop.yaml, and stops it. The exit code is that of rpcbench run. It is 1 if the service
# does not answer, 2 if a command is wrong or something answers before the service is started, and 130 if interrupted. The
# results are in shop.jsonl.
set -eu

# What to change: how your service is started. The file says where it is and what is called.
: "${SERVICE:=rpcbench serve --stack grpc-go --listen unix:shop.sock}"
: "${MEASURE:=}"
: "${TRIES:=30}" # how often the service is looked for, with a second in between

service='' run=''
trap 'kill $service $run 2>/dev/null || true; wait' EXIT
trap 'exit 130' HUP INT TERM

# The plan, too, is of the methods that the server has.
if rpcbench plan shop.yaml --trust shop.yaml >plan.txt 2>&1 || ! grep -q 'cannot reach the server' plan.txt; then
  cat plan.txt
  echo "$0: this came before the service was started, when nothing should answer" >&2
  exit 2
fi
$SERVICE >service.log 2>&1 &
service=$!
until rpcbench plan shop.yaml --trust shop.yaml >plan.txt 2>&1; do
  kill -0 $service 2>/dev/null || { cat service.log; echo "$0: the service has ended" >&2; exit 1; }
  TRIES=$((TRIES - 1))
  [ "$TRIES" -gt 0 ] || { cat plan.txt; exit 1; }
  sleep 1
done

# shellcheck disable=SC2086 # several flags
rpcbench run shop.yaml --trust shop.yaml $MEASURE --out shop.jsonl --overwrite &
run=$!
wait $run
