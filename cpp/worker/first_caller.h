// Times the parts of the first call.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "stack/caller.h"
#include "worker.pb.h"

namespace rpcbench::worker {

// Times the first call of a slot. Times are on the monotonic clock; 0 means not yet.
class FirstCaller final : public stack::Caller, private stack::Listener {
 public:
  // begun_ns is when the first connection was begun, and ready_ns when it was ready.
  FirstCaller(stack::Caller& caller, int64_t begun_ns, int64_t ready_ns)
      : caller_(caller), dialed_ns_(begun_ns), ready_ns_(ready_ns) {}

  void start(stack::Listener& listener) override;
  void cancel() override { caller_.cancel(); }
  const stack::Failure* after() override { return caller_.after(); }

  // Returns the parts of the first call, once; nothing before it is over and afterwards. The connection is opened
  // before the call. The library does not separate a TLS handshake from the settings after it, so both count as
  // protocol.
  std::optional<v1::FirstCall> take();

 private:
  void sent() override;
  void done(const stack::Failure* failure) override;

  stack::Caller& caller_;
  const int64_t dialed_ns_;
  const int64_t ready_ns_;
  stack::Listener* hears_ = nullptr;  // for the first call
  std::atomic<int64_t> begun_ns_ = 0;
  std::atomic<int64_t> ended_ns_ = 0;
  bool taken_ = false;
};

}  // namespace rpcbench::worker
