// The options of the stacks. What declares a value is what reads it.
#pragma once

#include "stack/option.h"

namespace rpcbench::grpcpp {

inline const stack::Option kClientArena = stack::flag(
    "arena", "true puts messages on protobuf arenas, false on the heap, where they are used again.", true, false);
inline const stack::Option kServerArena =
    stack::flag("arena", "true puts messages on protobuf arenas, false on the heap.", false, true);
inline const stack::Option kArena =
    stack::flag("arena", "true puts messages on protobuf arenas, false on the heap.", true, true);
inline const stack::Option kRetry =
    stack::flag("retry", "true lets the library retry calls, as it does by default.", true, false);
inline const stack::Option kSendDeadline = stack::flag(
    "send_deadline", "true sends the deadline with every call, so the library enforces it too; false: only the worker does.",
    true, false);
inline const stack::Option kQueueThreads = {
    "queue_threads",
    "Threads of a client, each with a completion queue; default one for each processor.",
    true,
    false,
    {},
    stack::Numbers{1, 1024}};

}  // namespace rpcbench::grpcpp
