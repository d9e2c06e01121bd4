// Addresses of Unix sockets as the library has them.
#pragma once

#include <string>

namespace rpcbench::grpcpp {

// Returns the URI of the socket at a path, in which the library decodes %xx.
std::string unix_uri(const std::string& path);

}  // namespace rpcbench::grpcpp
