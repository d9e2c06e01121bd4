// Both services with the blocking API.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <vector>

#include "grpc/responder.h"

namespace rpcbench::grpcpp {

// Makes both services. The responder must outlive them.
std::vector<std::unique_ptr<grpc::Service>> sync_services(const Responder& responder);

}  // namespace rpcbench::grpcpp
