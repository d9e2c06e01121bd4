#!/bin/sh
# Measures all cases of shop.yaml.
set -eu

# What to change: how your service is started. The file says where it is and what is called.
: "${SERVICE:=rpcbench serve --stack grpc-go --listen unix:shop.sock}"
: "${MEASURE:=}"

$SERVICE >service.log 2>&1 &
trap 'kill $!' EXIT
until [ -S shop.sock ]; do
  kill -0 $! || { cat service.log; exit 1; } # it has ended
  sleep 1
done
# shellcheck disable=SC2086 # several flags
rpcbench run shop.yaml --trust shop.yaml $MEASURE --out shop.jsonl
