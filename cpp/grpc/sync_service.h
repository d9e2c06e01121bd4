// Both services by blocking methods.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <vector>

#include "grpc/responder.h"

namespace rpcbench::grpcpp {

// Makes both, for a server that is gone before the responder.
std::vector<std::unique_ptr<grpc::Service>> sync_services(const Responder& responder);

}  // namespace rpcbench::grpcpp
