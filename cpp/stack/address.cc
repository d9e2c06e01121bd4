#include "stack/address.h"

#include <charconv>

#include "stack/code.h"

namespace rpcbench::stack {
namespace {

constexpr int kMaxPort = 0xffff;

// Returns a negative number if text is not a port.
int port_of(const std::string& text) {
  int port = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && port >= 0 && port <= kMaxPort ? port : -1;
}

}  // namespace

Address Address::parse(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  std::string host = text.substr(0, colon == std::string::npos ? 0 : colon);
  const int port = colon == std::string::npos ? -1 : port_of(text.substr(colon + 1));
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (port < 0 || (!bracketed && host.find(':') != std::string::npos)) {
    throw Error({Code::kInvalidArgument, '"' + text + "\" is not an address, such as 127.0.0.1:8080 or [::1]:8080"});
  }
  if (bracketed) {
    host = host.substr(1, host.size() - 2);
  }
  return {host, port};
}

std::string Address::text() const {
  const bool six = host.find(':') != std::string::npos;
  return (six ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

}  // namespace rpcbench::stack
