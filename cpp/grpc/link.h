// The settings and the contexts of a connection's RPCs.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stack/call.h"

namespace rpcbench::grpcpp {

inline constexpr const char* kMessagesMetadata = "rpcbench-messages";
inline constexpr const char* kBurstMetadata = "rpcbench-burst";

// The settings of all RPCs of a connection.
struct Link {
  bool gzip = false;
  bool send_deadline = false;
  bool arena = false;
};

// What the contexts of a call's RPCs have in common. It is computed once, so that no RPC examines the call's kind.
class ContextSettings {
 public:
  // A shared stream outlives its calls, so it has no deadline.
  ContextSettings(const Link& link, const stack::Call& call)
      : gzip_(link.gzip),
        has_deadline_(link.send_deadline && !stack::kind::shares_streams(call.kind)),
        deadline_ns_(call.deadline_ns),
        metadata_(metadata_of(call.kind)),
        messages_(call.messages) {}

  // Prepares the context of an RPC that starts now.
  void apply(grpc::ClientContext& context) const {
    if (gzip_) context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
    if (has_deadline_) context.set_deadline(std::chrono::system_clock::now() + std::chrono::nanoseconds(deadline_ns_));
    if (metadata_ != nullptr) context.AddMetadata(metadata_, std::to_string(messages_));
  }

 private:
  // Returns the name of the metadata that has the number of messages; null for kinds without it.
  static const char* metadata_of(std::string_view kind) {
    if (kind == stack::kind::kDownload || kind == stack::kind::kBothWays) return kMessagesMetadata;
    return kind == stack::kind::kBurst ? kBurstMetadata : nullptr;
  }

  const bool gzip_;
  const bool has_deadline_;
  const int64_t deadline_ns_;
  const char* const metadata_;
  const int64_t messages_;
};

// The context of a slot's running RPC. A context can't be reused, so each RPC gets a new one.
//
// The slot's state orders everything: it becomes free only after end, and its next call begins only after a running
// cancel has returned. So storing the pointer needs no locked instruction.
class Running {
 public:
  Running(const Link& link, const stack::Call& call) : settings_(link, call) {}

  // Makes a new context. No cancel may be running on the old one.
  grpc::ClientContext& begin() {
    context_.emplace();
    settings_.apply(*context_);
    running_.store(&*context_, std::memory_order_release);
    return *context_;
  }

  // Cancels the running RPC, if any. It may be called on any thread.
  void cancel() {
    if (grpc::ClientContext* context = running_.load(std::memory_order_acquire)) context->TryCancel();
  }

  // Ends the RPC: cancel does nothing from now on.
  void end() { running_.store(nullptr, std::memory_order_release); }

 private:
  const ContextSettings settings_;
  std::atomic<grpc::ClientContext*> running_ = nullptr;
  std::optional<grpc::ClientContext> context_;
};

}  // namespace rpcbench::grpcpp
