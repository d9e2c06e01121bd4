// The measured operation, as a stack sees it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "stack/bounds.h"
#include "stack/kind.h"

namespace rpcbench::stack {

struct Call {
  std::string kind;
  std::shared_ptr<const std::string> request;   // payload of every message sent, or of every operation
  std::shared_ptr<const std::string> expected;  // payload of a correct reply; null accepts any bytes
  int64_t response_bytes = 0;                   // payload size of every message received, or of every answer
  int64_t messages = 0;  // of a stream, burst, upload or download, and in each direction of both_ways; otherwise 0
  int streams = 0;  // of ping_pong and burst: streams shared by the connection's slots; slot i uses stream i % streams
  int64_t per_stream = 0;   // of ping_pong: calls before a stream ends; 0 is unlimited
  int64_t batch = 0;        // operations per message of BatchService; 0 is BenchmarkService
  int64_t deadline_ns = 0;  // enforced by the worker; sent by a stack only if its option says so

  int64_t messages_out() const {
    if (kind == kind::kConnect) return 0;
    const bool many = kind == kind::kStream || kind == kind::kBurst || kind == kind::kUpload || kind == kind::kBothWays;
    return many ? messages : 1;
  }

  int64_t messages_in() const {
    if (kind == kind::kConnect) return 0;
    const bool many =
        kind == kind::kStream || kind == kind::kBurst || kind == kind::kDownload || kind == kind::kBothWays;
    return many ? messages : 1;
  }

  // Returns the number of payloads in each message.
  int64_t payloads() const { return std::max<int64_t>(1, batch); }

  // Returns the maximum encoded size of a reply, with some room for wrong replies.
  int64_t max_reply_bytes() const {
    constexpr int64_t kSlackBytes = 64 << 10;
    const int64_t due = message_bytes(batch, response_bytes);
    return std::min(kMaxEncodedBytes, due + due / 64 + batch * kOperationEncodingBytes + kSlackBytes);
  }
};

}  // namespace rpcbench::stack
