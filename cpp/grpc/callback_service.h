// Both services by the library's callbacks.
#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <vector>

#include "grpc/responder.h"

namespace rpcbench::grpcpp {

// Makes both, for a server that is gone before the responder.
std::vector<std::unique_ptr<grpc::Service>> callback_services(const Responder& responder);

}  // namespace rpcbench::grpcpp
