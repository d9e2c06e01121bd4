// Builds the Done of a phase.
#pragma once

#include "load/sink.h"
#include "record/recorder.h"
#include "worker.pb.h"
#include "worker/client.h"

namespace rpcbench::worker {

// Throws a FaultError if there are more sockets than requested.
v1::Done conclude(Client& client, const v1::Begin& command, const load::Tally& tally, const record::Summary& summary);

}  // namespace rpcbench::worker
