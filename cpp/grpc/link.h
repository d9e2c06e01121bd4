// The settings and the contexts of a connection's RPCs.
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

// The settings of all RPCs of a connection.
struct Link {
  bool gzip = false;
  bool send_deadline = false;
  bool arena = false;

  // Prepares the context of an RPC that starts now. A shared stream outlives its calls, so it has no deadline.
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

// The context of a slot's running RPC. A context can't be reused, so each RPC gets a new one.
class Running {
 public:
  // Makes a new context. No cancel may be running on the old one.
  grpc::ClientContext& begin(const Link& link, const stack::Call& call) {
    context_.emplace();
    link.prepare(*context_, call);
    running_.store(&*context_);
    return *context_;
  }

  // Cancels the running RPC, if any. It may be called on any thread.
  void cancel() {
    if (grpc::ClientContext* context = running_.load()) context->TryCancel();
  }

  // Ends the RPC: cancel does nothing from now on.
  void end() { running_.store(nullptr); }

 private:
  std::optional<grpc::ClientContext> context_;
  std::atomic<grpc::ClientContext*> running_ = nullptr;
};

}  // namespace rpcbench::grpcpp
