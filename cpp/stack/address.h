// host:port.
#pragma once

#include <string>

namespace rpcbench::stack {

// A host and a port, "127.0.0.1:50051", "[::1]:0", ":8080".
struct Address {
  std::string host;
  int port = 0;

  // Reads host:port, where an IPv6 address stands in brackets; throws Error.
  static Address parse(const std::string& text);

  // Writes what parse reads.
  std::string text() const;
};

}  // namespace rpcbench::stack
