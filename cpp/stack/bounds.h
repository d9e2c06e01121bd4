// Limits on messages, batches and bursts, the same as in Go's internal/stack.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rpcbench::stack {

// The maximum payload of a message, including operation ids.
inline constexpr int64_t kMaxMessageBytes = 64 << 20;

// The maximum number of operations in a message.
inline constexpr int64_t kMaxBatch = 100'000;

// The size of an operation's id, counted in addition to its payload.
inline constexpr int64_t kOperationIdBytes = 8;

// An upper bound on the encoding overhead of an operation: two tags, its length and its payload's length.
inline constexpr int64_t kOperationEncodingBytes = 16;

// The maximum number of messages in a burst, all of which a server holds; their total size is at most kMaxMessageBytes.
inline constexpr int64_t kMaxBurst = 540'000;

// The maximum encoded size of a message, including overhead.
inline constexpr int64_t kMaxEncodedBytes = kMaxMessageBytes + kMaxBatch * kOperationEncodingBytes + 1024;

// Returns the size of a message with one payload of the given size (batch is 0), or with batch operations that have one
// each.
inline int64_t message_bytes(int64_t batch, int64_t bytes) {
  return batch == 0 ? bytes : batch * (bytes + kOperationIdBytes);
}

// Each returns why the parameters are invalid, in one sentence; empty if they are valid.
std::string batch_refusal(std::string_view kind, int64_t batch, int64_t bytes);
std::string burst_refusal(int64_t messages, int64_t bytes);

// Does the same for a reply. field is the request's field with the reply's payload size.
std::string reply_refusal(std::string_view field, int64_t operations, int64_t bytes);

}  // namespace rpcbench::stack
