// A worker's process.
#pragma once

#include "worker/check.h"

namespace rpcbench::worker {

// Obeys the commands on in until it ends, and writes events to out. Returns the status to exit with: 0 at the end of
// the input, 1 where the conversation broke off. Where something does not end in time, it exits by itself.
int converse(const Stacks& stacks, int in, int out);

}  // namespace rpcbench::worker
