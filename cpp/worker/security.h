// The keys of a side.
#pragma once

#include <memory>

#include "stack/stack.h"
#include "worker.pb.h"

namespace rpcbench::worker {

// Null is plaintext. Each throws a FaultError that names what is missing, or is no PEM.
std::shared_ptr<const stack::Keys> keys_of_server(const v1::Security& security);
std::shared_ptr<const stack::Keys> keys_of_client(const v1::Security& security);

}  // namespace rpcbench::worker
