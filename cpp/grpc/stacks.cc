#include "grpc/stacks.h"

#include <google/protobuf/stubs/common.h>
#include <grpcpp/grpcpp.h>

#include <map>
#include <mutex>
#include <string>

#include "grpc/async_api.h"
#include "grpc/callback_api.h"
#include "grpc/callback_service.h"
#include "grpc/conn.h"
#include "grpc/options.h"
#include "grpc/server.h"
#include "grpc/sync_service.h"
#include "host/host.h"

namespace rpcbench::grpcpp {
namespace {

std::string library() {
  return "grpc++ " + grpc::Version() + ", protobuf " +
         google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION);
}

stack::Info describe(std::string name, bool serves, bool calls, std::vector<stack::Option> options) {
  stack::Info info;
  info.name = std::move(name);
  info.protocol = "grpc";
  info.library = library();
  info.serves = serves;
  info.calls = calls;
  info.kinds = {"connect", "first_call", "unary", "stream", "ping_pong", "burst", "upload", "download", "both_ways"};
  info.networks = {"tcp", "unix"};
  info.securities = {"plaintext", "tls", "mtls"};
  info.compressions = {"none", "gzip"};
  info.multiplexed = true;
  info.options = std::move(options);
  return info;
}

class GrpcStack : public stack::Stack {
 public:
  explicit GrpcStack(stack::Info info) : info_(std::move(info)) {}

  const stack::Info& info() const override { return info_; }
  std::unique_ptr<stack::Server> serve(const stack::ServeConfig&) override { refuse("server"); }
  std::unique_ptr<stack::Conn> dial(const stack::DialConfig&) override { refuse("client"); }

 private:
  [[noreturn]] void refuse(const std::string& side) const {
    throw stack::Error({stack::Code::kUnimplemented, info_.name + " has no " + side});
  }

  const stack::Info info_;
};

class Callback final : public GrpcStack {
 public:
  Callback() : GrpcStack(describe("grpc-cpp-callback", true, true, {kArena, kRetry, kSendDeadline})) {}

  std::unique_ptr<stack::Server> serve(const stack::ServeConfig& config) override {
    return std::make_unique<GrpcServer>(config, callback_services);
  }

  std::unique_ptr<stack::Conn> dial(const stack::DialConfig& config) override {
    return std::make_unique<GrpcConn>(config, [](const std::shared_ptr<grpc::Channel>& channel) {
      return Apis{std::make_unique<CallbackApi<Singles>>(channel), std::make_unique<CallbackApi<Batches>>(channel)};
    });
  }
};

class Sync final : public GrpcStack {
 public:
  Sync() : GrpcStack(describe("grpc-cpp-sync", true, false, {kServerArena})) {}

  std::unique_ptr<stack::Server> serve(const stack::ServeConfig& config) override {
    return std::make_unique<GrpcServer>(config, sync_services);
  }
};

class Async final : public GrpcStack {
 public:
  Async() : GrpcStack(describe("grpc-cpp-async", false, true, {kClientArena, kQueueThreads, kRetry, kSendDeadline})) {}

  std::unique_ptr<stack::Conn> dial(const stack::DialConfig& config) override {
    grpc::CompletionQueue& queue = queues(config).next();
    return std::make_unique<GrpcConn>(config, [&queue](const std::shared_ptr<grpc::Channel>& channel) {
      return Apis{std::make_unique<AsyncApi<Singles>>(channel, queue),
                  std::make_unique<AsyncApi<Batches>>(channel, queue)};
    });
  }

 private:
  // Connections with as many threads share their queues, which last as long as the process.
  Queues& queues(const stack::DialConfig& config) {
    const int threads = kQueueThreads.number(config.options, host::processors());
    const std::lock_guard lock(mutex_);
    return queues_.try_emplace(threads, threads).first->second;
  }

  std::mutex mutex_;
  std::map<int, Queues> queues_;  // by the number of threads
};

}  // namespace

std::vector<std::unique_ptr<stack::Stack>> stacks() {
  std::vector<std::unique_ptr<stack::Stack>> all;
  all.push_back(std::make_unique<Callback>());
  all.push_back(std::make_unique<Async>());
  all.push_back(std::make_unique<Sync>());
  return all;
}

}  // namespace rpcbench::grpcpp
