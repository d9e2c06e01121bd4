// Starts servers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "stack/stack.h"
#include "worker.pb.h"
#include "worker/check.h"

namespace rpcbench::worker {

// Payloads of replies by length, cached because making one takes longer than sending it. Clients choose the lengths, so
// the cache is small: when it has too many or too large payloads, it is cleared. Safe for concurrent use.
class ReplyPayloads {
 public:
  static constexpr std::size_t kMaxLengths = 16;
  static constexpr int64_t kMaxBytes = 64 << 20;

  ReplyPayloads(std::string kind, uint64_t seed) : kind_(std::move(kind)), seed_(seed) {}

  std::shared_ptr<const std::string> of(int64_t length);

  // Returns the number of cached bytes.
  int64_t kept_bytes();

 private:
  const std::string kind_;
  const uint64_t seed_;
  std::mutex mutex_;
  std::map<int64_t, std::shared_ptr<const std::string>> kept_;
  int64_t bytes_ = 0;
};

// Starts the server of a Serve; throws a FaultError.
std::unique_ptr<stack::Server> start_server(const v1::Serve& command, const Stacks& stacks);

}  // namespace rpcbench::worker
