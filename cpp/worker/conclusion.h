// Makes the Done of a phase.
#pragma once

#include "load/sink.h"
#include "record/recorder.h"
#include "worker.pb.h"
#include "worker/client.h"

namespace rpcbench::worker {

// Throws a FaultError where a result was had with more sockets than asked for.
v1::Done conclude(Client& client, const v1::Begin& command, const load::Tally& tally, const record::Summary& summary);

}  // namespace rpcbench::worker
