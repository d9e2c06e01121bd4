// A server for both services.
#pragma once

#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grpc/responder.h"
#include "stack/stack.h"

namespace rpcbench::grpcpp {

class GrpcServer final : public stack::Server {
 public:
  using Services = std::vector<std::unique_ptr<grpc::Service>>;

  // Binds the address and starts serving; throws stack::Error.
  GrpcServer(const stack::ServeConfig& config, const std::function<Services(const Responder&)>& services);

  std::string address() const override { return address_; }
  void stop(int64_t grace_ns) override;

 private:
  Responder responder_;
  Services services_;
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
};

}  // namespace rpcbench::grpcpp
