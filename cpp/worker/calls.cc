#include "worker/calls.h"

#include "payload/payload.h"

namespace rpcbench::worker {

stack::Call measured_call(const v1::Call& call, int streams) {
  stack::Call made;
  made.kind = call.kind();
  made.request = std::make_shared<const std::string>(payload::of(call.payload(), call.seed(), call.request_bytes()));
  made.response_bytes = call.response_bytes();
  made.messages = call.messages();
  made.streams = streams;
  made.per_stream = call.messages_per_stream();
  made.batch = call.batch();
  made.deadline_ns = call.deadline_ns();
  if (call.lengths_only()) return made;
  // A server returns the request's payload if the sizes match, and its own otherwise.
  made.expected =
      call.response_bytes() == call.request_bytes()
          ? made.request
          : std::make_shared<const std::string>(payload::of(call.payload(), call.seed(), call.response_bytes()));
  return made;
}

stack::Call idle_call(const v1::Call& call, int streams) {
  v1::Call idle = call;
  idle.set_kind(std::string(stack::kind::kPingPong));
  idle.set_response_bytes(call.request_bytes());
  idle.clear_messages();
  idle.clear_batch();
  idle.clear_messages_per_stream();
  return measured_call(idle, streams);
}

stack::Call background_call(const v1::Background& background, const v1::Call& call) {
  v1::Call beside = call;
  beside.set_kind(background.kind());
  beside.set_request_bytes(background.request_bytes());
  beside.set_response_bytes(background.response_bytes());
  beside.set_messages(background.messages());
  beside.clear_batch();
  beside.clear_messages_per_stream();
  return measured_call(beside, 0);
}

}  // namespace rpcbench::worker
