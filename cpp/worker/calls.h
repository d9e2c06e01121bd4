// Translates worker.v1's calls for stacks.
#pragma once

#include "stack/call.h"
#include "worker.pb.h"

namespace rpcbench::worker {

stack::Call measured_call(const v1::Call& call, int streams);

// Idle streams are those of ping_pong calls with the measured call's payload, seed and checks, and no batches.
stack::Call idle_call(const v1::Call& call, int streams);

// The background call has the measured call's payload, seed and checks, but no batches.
stack::Call background_call(const v1::Background& background, const v1::Call& call);

}  // namespace rpcbench::worker
