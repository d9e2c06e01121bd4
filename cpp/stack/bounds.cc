#include "stack/bounds.h"

#include "stack/kind.h"

namespace rpcbench::stack {

std::string batch_refusal(std::string_view kind, int64_t batch, int64_t bytes) {
  if (batch == 0) {
    return "";
  }
  if (!kind::has_batches(kind)) {
    return std::string(kind) + " has no batches; unary, ping_pong, burst and upload have";
  }
  if (batch < 0 || batch > kMaxBatch) {
    return "batch is " + std::to_string(batch) + ", and must be 1 to " + std::to_string(kMaxBatch) + ", or 0 for none";
  }
  const int64_t message = message_bytes(batch, bytes);
  return message <= kMaxMessageBytes
             ? ""
             : "a message of " + std::to_string(batch) + " operations has " + std::to_string(message) + " bytes, " +
                   std::to_string(kMaxMessageBytes) + " at most";
}

std::string burst_refusal(int64_t messages, int64_t bytes) {
  if (messages < 1 || messages > kMaxBurst) {
    return "messages is " + std::to_string(messages) + ", and must be 1 to " + std::to_string(kMaxBurst) +
           " for a burst";
  }
  return messages * bytes <= kMaxMessageBytes
             ? ""
             : "a burst of " + std::to_string(messages) + " messages of " + std::to_string(bytes) +
                   " bytes is more than a server holds, " + std::to_string(kMaxMessageBytes) + " bytes";
}

std::string reply_refusal(std::string_view field, int64_t operations, int64_t bytes) {
  const std::string max = std::to_string(kMaxMessageBytes);
  if (bytes < 0 || bytes > kMaxMessageBytes) {
    return std::string(field) + " is " + std::to_string(bytes) + ", and must be 0 to " + max;
  }
  const int64_t all = message_bytes(operations, bytes);
  return all <= kMaxMessageBytes
             ? ""
             : "the answers to " + std::to_string(operations) + " operations have " + std::to_string(all) +
                   " bytes with a " + std::string(field) + " of " + std::to_string(bytes) + ", " + max + " at most";
}

}  // namespace rpcbench::stack
