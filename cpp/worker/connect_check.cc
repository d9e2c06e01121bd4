#include <cstdint>
#include <limits>

#include "stack/bounds.h"
#include "worker/check.h"

namespace rpcbench::worker::check {
namespace {

using control::refuse;
namespace kind = stack::kind;

constexpr int64_t kMinDeadlineNs = 1'000'000;

// Limits the memory for slots. No meaningful load has more.
constexpr int64_t kMaxSlots = 1'000'000;

constexpr uint32_t kMaxIdleStreams = 10'000;  // on each connection

constexpr int64_t kMaxCount = std::numeric_limits<int32_t>::max();

void shape(const v1::Connect& c) {
  refuse(c.addresses().empty(), "connect.addresses", "there is none");
  const std::string max = std::to_string(kMaxSlots);
  const int64_t connections = c.connections();
  refuse(connections == 0 || connections > kMaxSlots, "connect.connections",
         std::to_string(connections) + " is not 1 to " + max);
  const int64_t slots = connections * c.in_flight();
  refuse(slots == 0 || slots > kMaxSlots, "connect.in_flight",
         "connections x in_flight is " + std::to_string(slots) + ", not 1 to " + max);
}

// connect and first_call carry no payload.
void bytes(const std::string& field, const std::string& kind, int64_t bytes) {
  refuse(bytes > stack::kMaxMessageBytes, field,
         "a message has " + std::to_string(stack::kMaxMessageBytes) + " bytes at most");
  refuse(bytes > 0 && kind::opens(kind), field, kind + " carries no payload");
}

void messages(const std::string& field, const std::string& kind, int64_t messages) {
  const bool right = kind::has_messages(kind) ? messages > 0 && messages <= kMaxCount : messages == 0;
  refuse(!right, field, kind + " can't have " + std::to_string(messages));
}

// The sizes have been checked.
void batch(const v1::Call& call) {
  const int64_t bytes = std::max(call.request_bytes(), call.response_bytes());
  refuse(stack::batch_refusal(call.kind(), call.batch(), bytes), "connect.call.batch");
  if (call.kind() == kind::kBurst) {
    refuse(stack::burst_refusal(call.messages(), stack::message_bytes(call.batch(), bytes)), "connect.call.messages");
  }
}

void streams(const v1::Connect& c) {
  const std::string& kind = c.call().kind();
  const bool shared = kind::shares_streams(kind);
  refuse(shared && (c.streams() == 0 || c.streams() > c.in_flight()), "connect.streams",
         std::to_string(c.streams()) + " is not between 1 and in_flight, " + std::to_string(c.in_flight()));
  refuse(!shared && c.streams() != 0, "connect.streams", kind + " has no streams to share");
  const std::string field = "connect.call.messages_per_stream";
  const int64_t calls = c.call().messages_per_stream();
  refuse(calls > kMaxCount, field, std::to_string(calls) + " is more than " + std::to_string(kMaxCount));
  refuse(calls > 0 && kind != kind::kPingPong, field, "only streams of ping_pong end so");
  refuse(calls > 0 && c.streams() != c.in_flight(), field, "calls that share a stream can't end it");
}

void background(const stack::Info& info, const v1::Connect& c) {
  if (!c.has_background()) return;
  const v1::Background& b = c.background();
  refuse(!kind::can_be_background(b.kind()), "connect.background.kind",
         info.name + " does not support \"" + b.kind() + "\" in the background");
  messages("connect.background.messages", b.kind(), b.messages());
  refuse(kind::opens(c.call().kind()), "connect.background",
         c.call().kind() + " has no connection that could be shared");
  bytes("connect.background.request_bytes", b.kind(), b.request_bytes());
  bytes("connect.background.response_bytes", b.kind(), b.response_bytes());
}

void idle_streams(const stack::Info& info, const v1::Connect& c) {
  const std::string field = "connect.idle_streams";
  const uint32_t n = c.idle_streams();
  if (n == 0) return;
  refuse(n > kMaxIdleStreams, field, std::to_string(n) + " is more than " + std::to_string(kMaxIdleStreams));
  refuse(!info.multiplexed, field, info.name + " has no streams that share a connection");
  refuse(kind::opens(c.call().kind()), field, c.call().kind() + " has no connection that could be shared");
}

// Refuses the settings of kinds and calls that no stack here has.
void absent(const v1::Call& call) {
  refuse(call.has_recipe(), "connect.call.recipe", "this worker calls no methods of others");
  refuse(call.has_mix(), "connect.call.mix", "this worker makes one call in a load, and no mix");
  refuse(call.message_rate_per_sec() != 0, "connect.call.message_rate_per_sec", "only calls of a recipe have one");
  refuse(!call.message().empty(), "connect.call.message", call.kind() + " has none");
  refuse(!call.codec().empty(), "connect.call.codec", call.kind() + " has none");
  refuse(call.has_sizes(), "connect.call.sizes", "this worker draws no sizes");
  refuse(call.has_accesses(), "connect.call.accesses", "this worker accesses no store");
  refuse(call.sample_ns() != 0, "connect.call.sample_ns", call.kind() + " has none");
}

}  // namespace

void connect(const stack::Info& info, const v1::Connect& c) {
  const v1::Call& call = c.call();
  can("connect", info, info.calls);
  word("connect.network", info, c.network(), info.networks);
  word("connect.security.mode", info, c.security().mode(), info.securities);
  refuse(c.security().system_roots(), "connect.security.system_roots", "it trusts only the certificates in ca_pem");
  refuse(c.security().skip_verify(), "connect.security.skip_verify", "it trusts only the certificates in ca_pem");
  options("connect", info, values_of(c.options()), &stack::Option::client);
  word("connect.call.kind", info, call.kind(), info.kinds);
  absent(call);
  word("connect.call.compression", info, call.compression(), info.compressions);
  refuse(call.deadline_ns() < kMinDeadlineNs, "connect.call.deadline_ns", "it must be at least 1 ms");
  payload("connect.call.payload", call.payload());
  shape(c);
  bytes("connect.call.request_bytes", call.kind(), call.request_bytes());
  bytes("connect.call.response_bytes", call.kind(), call.response_bytes());
  batch(call);
  background(info, c);
  idle_streams(info, c);
  messages("connect.call.messages", call.kind(), call.messages());
  streams(c);
}

}  // namespace rpcbench::worker::check
