// Takes the first call apart.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "stack/caller.h"
#include "worker.pb.h"

namespace rpcbench::worker {

// Times the first call of its slot. Times are of the monotonic clock; 0 is not yet.
class FirstCaller final : public stack::Caller, private stack::Listener {
 public:
  // Takes when the first connection was begun, and when it was ready.
  FirstCaller(stack::Caller& caller, int64_t begun_ns, int64_t ready_ns)
      : caller_(caller), dialled_ns_(begun_ns), ready_ns_(ready_ns) {}

  void start(stack::Listener& listener) override;
  void cancel() override { caller_.cancel(); }
  const stack::Failure* after() override { return caller_.after(); }

  // The parts of the first call, once; nothing before it was made and ever after. Its connection was opened before it.
  // The library does not tell a TLS handshake from the settings behind it, so that both are the protocol's.
  std::optional<v1::FirstCall> take();

 private:
  void sent() override;
  void done(const stack::Failure* failure) override;

  stack::Caller& caller_;
  const int64_t dialled_ns_;
  const int64_t ready_ns_;
  stack::Listener* hears_ = nullptr;  // of the first call
  std::atomic<int64_t> begun_ns_ = 0;
  std::atomic<int64_t> ended_ns_ = 0;
  bool taken_ = false;
};

}  // namespace rpcbench::worker
