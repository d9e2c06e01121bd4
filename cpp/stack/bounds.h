// What bounds messages, batches and bursts; Go's internal/stack has the same bounds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rpcbench::stack {

// The largest payload of one message, ids of operations included.
inline constexpr int64_t kMessageBytesMost = 64 << 20;

// The most operations that a message may have.
inline constexpr int64_t kBatchMost = 100'000;

// What an operation has beside its payload.
inline constexpr int64_t kOperationIdBytes = 8;

// Room for what surrounds an operation's id and payload in its encoding: two tags, its length and its payload's.
inline constexpr int64_t kOperationEncodingBytes = 16;

// The most messages of a burst, which a server holds all at once; their bytes are at most kMessageBytesMost.
inline constexpr int64_t kBurstMost = 540'000;

// The largest encoding of one message, with room for what surrounds its payloads.
inline constexpr int64_t kEncodedBytesMost = kMessageBytesMost + kBatchMost * kOperationEncodingBytes + 1024;

// The size of a message of batch operations, 0 for none, whose payload, or each operation's, has bytes.
inline int64_t message_bytes(int64_t batch, int64_t bytes) {
  return batch == 0 ? bytes : batch * (bytes + kOperationIdBytes);
}

// Each returns why there can be no such thing, one sentence; empty where there can.
std::string batch_refusal(std::string_view kind, int64_t batch, int64_t bytes);
std::string burst_refusal(int64_t messages, int64_t bytes);

// The same of a reply; field of the request says how long its payload is to be.
std::string reply_refusal(std::string_view field, int64_t operations, int64_t bytes);

}  // namespace rpcbench::stack
