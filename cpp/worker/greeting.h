// Describes this worker and the resources it has used.
#pragma once

#include <cstdint>

#include "worker.pb.h"
#include "worker/check.h"
#include "worker/client.h"

namespace rpcbench::worker {

v1::Hello greeting(const Stacks& stacks);

// Returns what mark asks for of the resources that this process has used since started_ns. client is null on a server.
v1::Snapshot snapshot(const v1::Mark& mark, int64_t started_ns, Client* client);

}  // namespace rpcbench::worker
