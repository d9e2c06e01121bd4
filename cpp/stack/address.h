// Network addresses.
#pragma once

#include <string>

namespace rpcbench::stack {

// A host and a port, such as "127.0.0.1:50051", "[::1]:0" or ":8080".
struct Address {
  std::string host;
  int port = 0;

  // Parses host:port, with an IPv6 address in brackets; throws Error.
  static Address parse(const std::string& text);

  // Formats the address as parse reads it.
  std::string text() const;
};

}  // namespace rpcbench::stack
