// The measured operation, as a connection is told of it.
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
  std::shared_ptr<const std::string> request;   // the payload of every message sent, or of every operation
  std::shared_ptr<const std::string> expected;  // the payload of a right reply; null takes any bytes
  int64_t response_bytes = 0;                   // the payload length of every message received, or of every answer
  int64_t messages = 0;  // of a stream, burst, upload or download, and both ways each; 0 elsewhere
  int streams = 0;  // of ping_pong and burst: how many streams the connection's slots share; slot i is on i modulo it
  int64_t per_stream = 0;  // of ping_pong: calls after which a stream ends; 0 is never
  int64_t batch = 0;       // operations in one message of BatchService; 0 is BenchmarkService, whose messages have none
  int64_t deadline_ns = 0;  // which the worker keeps; a stack sends it where its option says so

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

  // How many payloads one message has, each way.
  int64_t payloads() const { return std::max<int64_t>(1, batch); }

  // The most that the encoding of a reply may have: what is due, with room for one that is wrong by a little.
  int64_t reply_bytes_most() const {
    constexpr int64_t kSpare = 64 << 10;
    const int64_t due = message_bytes(batch, response_bytes);
    return std::min(kEncodedBytesMost, due + due / 64 + batch * kOperationEncodingBytes + kSpare);
  }
};

}  // namespace rpcbench::stack
