// The keys of a server or client.
#pragma once

#include <memory>

#include "stack/stack.h"
#include "worker.pb.h"

namespace rpcbench::worker {

// Returns null for plaintext. Each throws a FaultError that names the field that is missing or not PEM.
std::shared_ptr<const stack::Keys> keys_of_server(const v1::Security& security);
std::shared_ptr<const stack::Keys> keys_of_client(const v1::Security& security);

}  // namespace rpcbench::worker
