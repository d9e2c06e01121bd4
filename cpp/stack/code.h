// The outcomes of calls.
#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rpcbench::stack {

// The outcome of a call: gRPC's codes with their numbers (https://grpc.github.io/grpc/core/md_doc_statuscodes.html),
// and MISMATCH for a wrong reply.
enum class Code : int {
  kOk,
  kCancelled,
  kUnknown,
  kInvalidArgument,
  kDeadlineExceeded,
  kNotFound,
  kAlreadyExists,
  kPermissionDenied,
  kResourceExhausted,
  kFailedPrecondition,
  kAborted,
  kOutOfRange,
  kUnimplemented,
  kInternal,
  kUnavailable,
  kDataLoss,
  kUnauthenticated,
  kMismatch,
};

inline constexpr std::size_t kCodes = 18;

inline constexpr std::array<std::string_view, kCodes> kCodeNames = {
    "OK",        "CANCELLED",       "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS",  "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",    "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED", "MISMATCH"};

inline std::string_view name_of(Code code) { return kCodeNames[static_cast<std::size_t>(code)]; }

// The reason why a call failed, in one sentence.
struct Failure {
  Code code = Code::kOk;
  std::string message;

  std::string text() const { return std::string(name_of(code)) + ": " + message; }
};

// Thrown for errors outside of calls.
class Error : public std::runtime_error {
 public:
  explicit Error(Failure failure) : std::runtime_error(failure.text()), failure_(std::move(failure)) {}

  const Failure& failure() const { return failure_; }

 private:
  Failure failure_;
};

}  // namespace rpcbench::stack
