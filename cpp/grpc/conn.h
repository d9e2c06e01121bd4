// A connection: one channel.
#pragma once

#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <vector>

#include "grpc/echo.h"
#include "grpc/link.h"
#include "grpc/messages.h"
#include "grpc/rpc.h"
#include "stack/stack.h"

namespace rpcbench::grpcpp {

// The RPCs of both services, with one of the library's APIs.
struct Apis {
  std::unique_ptr<Api<Singles>> singles;
  std::unique_ptr<Api<Batches>> batches;
};

class GrpcConn final : public stack::Conn {
 public:
  // Creates a channel, which connects in begin, ready or with the first call, and the APIs that call on it; throws
  // stack::Error.
  GrpcConn(const stack::DialConfig& config, const std::function<Apis(const std::shared_ptr<grpc::Channel>&)>& apis);
  ~GrpcConn() override;

  std::unique_ptr<stack::Caller> caller(const stack::Call& call, int slot) override;
  void begin() override { channel_->GetState(true); }
  void ready(int64_t timeout_ns, const std::atomic<bool>& ended) override;

 private:
  template <typename T>
  std::unique_ptr<stack::Caller> caller_of(Api<T>& api, std::vector<std::unique_ptr<Echo<T>>>& echoes,
                                           const stack::Call& call, int slot);
  [[noreturn]] void throw_why();

  Link link_;
  std::shared_ptr<grpc::Channel> channel_;
  Apis apis_;
  std::vector<std::unique_ptr<Echo<Singles>>> echoes_;
  std::vector<std::unique_ptr<Echo<Batches>>> batch_echoes_;
};

}  // namespace rpcbench::grpcpp
