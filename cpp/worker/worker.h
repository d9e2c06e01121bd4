// The process of a worker.
#pragma once

#include "worker/check.h"

namespace rpcbench::worker {

// Carries out the commands read from in until it ends, and writes events to out. Returns the exit status: 0 at the end
// of the input, 1 if it was truncated. If shutting down takes too long, the process exits by itself.
int converse(const Stacks& stacks, int in, int out);

// Leaves it to the driver when the process ends, also where a signal reaches all processes. No program is started here
// that would inherit this.
void ignore_signals();

}  // namespace rpcbench::worker
