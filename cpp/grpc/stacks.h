// gRPC's C++ library, by each of its interfaces.
#pragma once

#include <memory>
#include <vector>

#include "stack/stack.h"

namespace rpcbench::grpcpp {

std::vector<std::unique_ptr<stack::Stack>> stacks();

}  // namespace rpcbench::grpcpp
