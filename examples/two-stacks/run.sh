#!/bin/sh
# Compares two RPC stacks on this machine, and tests whether their difference is more than noise.
set -eu

# What to change: the stacks, of `rpcbench stacks`, and how often each is measured.
: "${STACKS:=grpc-go,connect-go}"
: "${BASE:=connect-go}"
: "${MEASURE:=--trials 10 --set request_bytes=1kB}"

# shellcheck disable=SC2086 # several flags
rpcbench run latency --stacks "$STACKS" $MEASURE --out stacks.jsonl --overwrite
rpcbench compare stacks.jsonl --by stack --base "$BASE"
