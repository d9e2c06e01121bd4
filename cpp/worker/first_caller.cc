#include "worker/first_caller.h"

#include <algorithm>

#include "load/clock.h"
#include "socket/sockets.h"

namespace rpcbench::worker {

void FirstCaller::start(stack::Listener& listener) {
  if (ended_ns_.load(std::memory_order_relaxed) != 0) {
    caller_.start(listener);
    return;
  }
  begun_ns_.store(load::monotonic_ns());
  hears_ = &listener;
  caller_.start(*this);
}

void FirstCaller::sent() {
  begun_ns_.store(load::monotonic_ns());
  hears_->sent();
}

void FirstCaller::done(const stack::Failure* failure) {
  ended_ns_.store(load::monotonic_ns());
  hears_->done(failure);
}

std::optional<v1::FirstCall> FirstCaller::take() {
  if (taken_ || ended_ns_.load() == 0) return std::nullopt;
  taken_ = true;
  v1::FirstCall first;
  const int64_t connected = std::clamp(socket::first_connected_ns(), dialed_ns_, ready_ns_);
  first.set_connect_ns(connected - dialed_ns_);
  first.set_protocol_ns(ready_ns_ - connected);
  first.set_call_ns(ended_ns_.load() - begun_ns_.load());
  return first;
}

}  // namespace rpcbench::worker
