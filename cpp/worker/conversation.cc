#include "worker/conversation.h"

#include <chrono>
#include <exception>
#include <thread>

#include "control/text.h"
#include "load/clock.h"
#include "socket/sockets.h"
#include "worker/greeting.h"
#include "worker/servers.h"

namespace rpcbench::worker {

using control::FaultError;

namespace {

// How long a server waits for calls in flight when the worker exits.
constexpr int64_t kStopGraceNs = 2'000'000'000;

// How long connections may take to close: the library closes its sockets on threads of its own.
constexpr int64_t kClosingTimeoutNs = 10'000'000'000;
constexpr auto kClosingPollInterval = std::chrono::milliseconds(1);

void set_fault(v1::Event& event, const std::string& field, const std::string& message) {
  event.mutable_fault()->set_field(field);
  event.mutable_fault()->set_message(control::clean(message));
}

}  // namespace

Conversation::Conversation(const Stacks& stacks, control::EventWriter& events, const std::atomic<bool>& ended)
    : stacks_(stacks), events_(events), ended_(ended), started_ns_(load::monotonic_ns()), evidence_(events) {}

Conversation::~Conversation() {
  phases_.reset();
  if (client_ != nullptr) client_->end();
  if (holds_lost_calls()) {
    static_cast<void>(client_.release());
  }
  if (server_ != nullptr) server_->stop(kStopGraceNs);
}

bool Conversation::holds_lost_calls() const { return client_ != nullptr && client_->has_lost(); }

void Conversation::obey(const v1::Command& command) {
  v1::Event event;
  try {
    if (!answer(command, event)) return;
  } catch (const FaultError& e) {
    set_fault(event, e.field(), e.what());
  } catch (const std::exception& e) {
    set_fault(event, "", std::string("the worker failed: ") + e.what());
  }
  events_.write(event);
}

// Returns whether the command has an immediate answer.
bool Conversation::answer(const v1::Command& command, v1::Event& event) {
  switch (command.command_case()) {
    case v1::Command::kServe:
      serve(command.serve(), *event.mutable_serving());
      return true;
    case v1::Command::kConnect:
      connect(command.connect(), *event.mutable_connected());
      return true;
    case v1::Command::kBegin:
      begin(command.begin());
      return false;
    case v1::Command::kMark:
      *event.mutable_snapshot() = snapshot(command.mark(), started_ns_, client_.get());
      return true;
    case v1::Command::kStop:
      if (phases_ != nullptr) phases_->stop(command.stop());
      return false;
    case v1::Command::kProfile:
      evidence_.profile(command.profile().end());
      event.mutable_profiled();
      return true;
    case v1::Command::kDump:
      evidence_.dump(command.dump().heap());
      event.mutable_dumped();
      return true;
    default:
      throw FaultError("command", "this worker does not know the command");
  }
}

void Conversation::serve(const v1::Serve& command, v1::Serving& serving) {
  check_free("serve");
  server_ = start_server(command, stacks_);
  serving.set_address(server_->address());
}

void Conversation::connect(const v1::Connect& command, v1::Connected& connected) {
  control::refuse(server_ != nullptr, "connect", "this worker is busy with an earlier Serve");
  if (client_ != nullptr) leave();
  await_closed();
  socket::begin_anew();
  client_ = std::make_unique<Client>(command, stacks_, ended_);
  phases_ = std::make_unique<Phases>(*client_, events_);
  connected.set_sockets(static_cast<uint32_t>(socket::counts().open));
}

// Closes everything that the last Connect opened. What a call that has not returned uses stays as it is.
void Conversation::leave() {
  control::refuse(phases_ != nullptr && phases_->running(), "connect", "a phase is still running");
  phases_.reset();
  client_->end();
  control::refuse(holds_lost_calls(), "connect", "a call of the connections before has not returned");
  client_.reset();
}

// Waits until no socket of an earlier Connect is open.
void Conversation::await_closed() const {
  const int64_t until = load::monotonic_ns() + kClosingTimeoutNs;
  while (socket::counts().open > 0) {
    const std::string open = std::to_string(socket::counts().open);
    control::refuse(load::monotonic_ns() >= until, "connect", open + " sockets of the connections before are still open");
    control::refuse(ended_.load(), "connect", "the worker is ending");
    std::this_thread::sleep_for(kClosingPollInterval);
  }
}

void Conversation::begin(const v1::Begin& command) {
  control::refuse(phases_ == nullptr, "begin", "there was no Connect before it");
  phases_->begin(command);
}

void Conversation::check_free(const std::string& command) const {
  control::refuse(server_ != nullptr || client_ != nullptr, command,
                  "this worker is busy with an earlier Serve or Connect");
}

}  // namespace rpcbench::worker
