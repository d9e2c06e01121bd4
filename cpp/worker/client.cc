#include "worker/client.h"

#include <algorithm>
#include <string>

#include "load/clock.h"
#include "worker/calls.h"
#include "worker/idle_streams.h"
#include "worker/opener.h"
#include "worker/security.h"

namespace rpcbench::worker {

using control::FaultError;

namespace {

// The timeout for opening a connection.
constexpr int64_t kTimeoutNs = 30'000'000'000;

// The maximum number of connections that are being opened at once, as in Go. Far servers are then reached many times as fast as
// by one after the other, and no server's backlog overflows.
constexpr uint32_t kMaxOpening = 64;

stack::Stack& checked(const v1::Connect& command, const Stacks& stacks) {
  stack::Stack& stack = check::stack_of("connect", command.stack(), stacks);
  check::connect(stack.info(), command);
  return stack;
}

}  // namespace

Client::Client(const v1::Connect& command, const Stacks& stacks, const std::atomic<bool>& ended)
    : command_(command),
      stack_(checked(command, stacks)),
      call_(measured_call(command.call(), static_cast<int>(command.streams()))),
      keys_(keys_of_client(command.security())),
      max_reply_bytes_(call_.max_reply_bytes()) {
  if (command_.has_background()) {
    const int64_t beside = background_call(command_.background(), command_.call()).max_reply_bytes();
    max_reply_bytes_ = std::max(max_reply_bytes_, beside);
  }
  if (command_.idle_streams() > 0) {
    max_reply_bytes_ = std::max(max_reply_bytes_, idle_call(command_.call(), 1).max_reply_bytes());
  }
  try {
    open(ended);
  } catch (const stack::Error& e) {
    const bool options = e.failure().code == stack::Code::kInvalidArgument;
    throw FaultError(options ? "connect.options" : "connect", e.what());
  }
}

Client::~Client() = default;

void Client::end() {
  if (background_ != nullptr) background_->end();
}

bool Client::has_lost() const { return pool_->has_lost() || (background_ != nullptr && background_->has_lost()); }

void Client::open(const std::atomic<bool>& ended) {
  if (stack::kind::opens(call_.kind)) {
    fill_with_openers();
  } else {
    open_connections(ended);
    fill();
    if (command_.has_background()) open_background();
    if (command_.idle_streams() > 0) open_idle(ended);
  }
  pool_ = std::make_unique<load::SlotPool>(slot_callers(), command_.call().deadline_ns());
}

std::unique_ptr<stack::Conn> Client::dial(uint32_t i) {
  stack::DialConfig config;
  config.network = command_.network();
  config.address = command_.addresses(static_cast<int>(i % static_cast<uint32_t>(command_.addresses_size())));
  config.keys = keys_;
  config.compression = command_.call().compression();
  config.max_reply_bytes = max_reply_bytes_;
  config.options = values_of(command_.options());
  return stack_.dial(config);
}

// Opens the connections: the first one alone, whose parts are timed.
void Client::open_connections(const std::atomic<bool>& ended) {
  dialed_ns_ = load::monotonic_ns();
  open_at_once(1, ended);
  ready_ns_ = load::monotonic_ns();
  for (uint32_t open = 1; open < command_.connections(); open += kMaxOpening) {
    open_at_once(std::min(kMaxOpening, command_.connections() - open), ended);
  }
}

void Client::open_at_once(uint32_t count, const std::atomic<bool>& ended) {
  const std::size_t before = conns_.size();
  for (uint32_t i = 0; i < count; ++i) {
    conns_.push_back(dial(static_cast<uint32_t>(conns_.size())));
    conns_.back()->begin();
  }
  for (std::size_t i = before; i < conns_.size(); ++i) {
    conns_[i]->ready(kTimeoutNs, ended);
  }
}

// Makes the callers slot by slot over all connections, so that a few calls in flight use all of them.
void Client::fill() {
  for (uint32_t slot = 0; slot < command_.in_flight(); ++slot) {
    for (const auto& conn : conns_) {
      callers_.push_back(conn->caller(call_, static_cast<int>(slot)));
    }
  }
  first_ = std::make_unique<FirstCaller>(*callers_.front(), dialed_ns_, ready_ns_);
}

void Client::fill_with_openers() {
  for (uint32_t slot = 0; slot < command_.connections() * command_.in_flight(); ++slot) {
    callers_.push_back(std::make_unique<Opener>(call_, [this, slot] { return dial(slot); }));
  }
}

std::vector<stack::Caller*> Client::slot_callers() {
  std::vector<stack::Caller*> all;
  for (const auto& caller : callers_) {
    all.push_back(caller.get());
  }
  if (first_ != nullptr) all.front() = first_.get();
  return all;
}

void Client::open_background() {
  const stack::Call beside = background_call(command_.background(), command_.call());
  std::vector<std::unique_ptr<stack::Caller>> callers;
  for (const auto& conn : conns_) {
    callers.push_back(conn->caller(beside, 0));
  }
  background_ = std::make_unique<Background>(std::move(callers), command_.call().deadline_ns());
}

void Client::open_idle(const std::atomic<bool>& ended) {
  try {
    const stack::Call idle = idle_call(command_.call(), static_cast<int>(command_.idle_streams()));
    open_idle_streams(conns_, idle, kTimeoutNs, ended);
  } catch (const stack::Error& e) {
    throw FaultError("connect.idle_streams", std::string("an idle stream could not be opened: ") + e.what());
  }
}

}  // namespace rpcbench::worker
