#!/bin/sh
# Compares two builds of a service: starts them in turn, loads each, and stops when it is clear whether NEW is worse than LIMIT
# allows. The first line of the output is the answer. Exit code 3 means that it is worse, and 4 that it could not be told in the
# time.
set -eu

# What to change: how the builds are started, where they listen, what is called, and what may not happen. {port} is a free port.
: "${OLD:=rpcbench serve --stack grpc-go --listen 127.0.0.1:{port\}}"
: "${NEW:=env GOGC=25 rpcbench serve --stack grpc-go --listen 127.0.0.1:{port\}}"
: "${CALL:=--request-bytes 100}" # of yours: --call shop.v1.Shop/Get --proto shop.proto --data @request.json
: "${LIMIT:=calls_per_sec<-5%}"
: "${LOAD:=--in-flight 8 --duration 5s --time 10m}"

# shellcheck disable=SC2086 # several flags
exec rpcbench ab --a "$OLD" --b "$NEW" '127.0.0.1:{port}' $CALL $LOAD --fail-on "$LIMIT" --out builds.jsonl --overwrite
