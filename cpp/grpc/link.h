// A connection, as its calls use it.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "stack/call.h"

namespace rpcbench::grpcpp {

inline constexpr const char* kMessagesMetadata = "rpcbench-messages";
inline constexpr const char* kBurstMetadata = "rpcbench-burst";

// What every RPC of a connection has.
struct Link {
  bool gzip = false;
  bool send_deadline = false;
  bool arena = false;

  // Makes the context of an RPC that begins now. A stream that calls share outlives them, and so has no deadline.
  void prepare(grpc::ClientContext& context, const stack::Call& call) const {
    if (gzip) context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
    if (send_deadline && !stack::kind::shares_streams(call.kind)) {
      context.set_deadline(std::chrono::system_clock::now() + std::chrono::nanoseconds(call.deadline_ns));
    }
    if (call.kind == stack::kind::kDownload || call.kind == stack::kind::kBothWays) {
      context.AddMetadata(kMessagesMetadata, std::to_string(call.messages));
    } else if (call.kind == stack::kind::kBurst) {
      context.AddMetadata(kBurstMetadata, std::to_string(call.messages));
    }
  }
};

// The context of the RPC that a slot has under way, one after another. The library's can't be used twice.
class Running {
 public:
  // Makes the next one. Nobody may be cancelling the last.
  grpc::ClientContext& begin(const Link& link, const stack::Call& call) {
    context_.emplace();
    link.prepare(*context_, call);
    running_.store(&*context_);
    return *context_;
  }

  // Cancels it, if there is one. It may come from any thread.
  void cancel() {
    if (grpc::ClientContext* context = running_.load()) context->TryCancel();
  }

  // Nothing is to be canceled any more.
  void end() { running_.store(nullptr); }

 private:
  std::optional<grpc::ClientContext> context_;
  std::atomic<grpc::ClientContext*> running_ = nullptr;
};

}  // namespace rpcbench::grpcpp
