// Converts gRPC's statuses to failures and back.
#pragma once

#include <grpcpp/support/status.h>

#include <string>

#include "stack/code.h"

namespace rpcbench::grpcpp {

// Keeps the first line of the library's message, which may append its internal state.
inline stack::Failure failure_of(const grpc::Status& status) {
  const auto code = static_cast<std::size_t>(status.error_code());
  const bool known = code < static_cast<std::size_t>(stack::Code::kMismatch);
  const std::string& said = status.error_message();
  return {known ? static_cast<stack::Code>(code) : stack::Code::kUnknown, said.substr(0, said.find('\n'))};
}

inline grpc::Status invalid(const std::string& why) { return {grpc::StatusCode::INVALID_ARGUMENT, why}; }

}  // namespace rpcbench::grpcpp
