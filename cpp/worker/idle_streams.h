// Opens streams that are idle while calls are made.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "load/clock.h"
#include "stack/stack.h"

namespace rpcbench::worker {

// Opens call.streams streams on every connection, each with one call. They stay open as long as the connection. Throws
// stack::Error if one can't be opened within the timeout, which begins anew with each, or if ended becomes true. now is the
// clock.
void open_idle_streams(const std::vector<std::unique_ptr<stack::Conn>>& conns, const stack::Call& call,
                       int64_t timeout_ns, const std::atomic<bool>& ended,
                       const std::function<int64_t()>& now = load::monotonic_ns);

}  // namespace rpcbench::worker
