#include "worker/conversation.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>

namespace rpcbench::worker {
namespace {

// Reads the events that a worker writes.
class Events {
 public:
  Events() {
    if (pipe(ends_.data()) != 0) throw std::runtime_error("no pipe");
  }
  ~Events() {
    for (const int end : ends_) close(end);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  int end() const { return ends_[1]; }

  v1::Event next() {
    std::size_t length = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(read_bytes(1)[0]);
      length |= static_cast<std::size_t>(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    v1::Event event;
    EXPECT_TRUE(event.ParseFromString(read_bytes(length)));
    return event;
  }

 private:
  std::string read_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    for (std::size_t have = 0; have < count;) {
      const ssize_t got = read(ends_[0], &bytes[have], count - have);
      if (got <= 0) throw std::runtime_error("no event");
      have += static_cast<std::size_t>(got);
    }
    return bytes;
  }

  std::array<int, 2> ends_ = {};
};

constexpr std::size_t kLostBytes = 7;  // of a request that is never answered

// A stack whose calls return at once, unless they are never answered. What it makes it counts.
class Deaf final : public stack::Stack {
 public:
  Deaf() {
    info_.name = "deaf";
    info_.calls = true;
    info_.kinds = {"unary"};
    info_.networks = {"tcp"};
    info_.securities = {"plaintext"};
    info_.compressions = {"none"};
    info_.multiplexed = true;
  }

  const stack::Info& info() const override { return info_; }
  std::unique_ptr<stack::Server> serve(const stack::ServeConfig&) override { return nullptr; }
  std::unique_ptr<stack::Conn> dial(const stack::DialConfig&) override { return std::make_unique<Conn>(*this); }

  int open = 0;                            // connections
  std::promise<stack::Listener*> unheard;  // of the call that is never answered

 private:
  class Caller final : public stack::Caller {
   public:
    Caller(Deaf& stack, bool returns) : stack_(stack), returns_(returns) {}
    void start(stack::Listener& listener) override {
      if (returns_) {
        listener.done(nullptr);
      } else {
        stack_.unheard.set_value(&listener);
      }
    }
    void cancel() override {}
    const stack::Failure* after() override { return nullptr; }

   private:
    Deaf& stack_;
    const bool returns_;
  };

  class Conn final : public stack::Conn {
   public:
    explicit Conn(Deaf& stack) : stack_(stack) { ++stack_.open; }
    ~Conn() override { --stack_.open; }
    std::unique_ptr<stack::Caller> caller(const stack::Call& call, int) override {
      return std::make_unique<Caller>(stack_, call.request->size() != kLostBytes);
    }
    void ready(int64_t, const std::atomic<bool>&) override {}

   private:
    Deaf& stack_;
  };

  stack::Info info_;
};

v1::Command connect_with_background() {
  v1::Command command;
  v1::Connect& connect = *command.mutable_connect();
  connect.set_stack("deaf");
  connect.set_network("tcp");
  connect.add_addresses("127.0.0.1:1");
  connect.mutable_security()->set_mode("plaintext");
  connect.set_connections(1);
  connect.set_in_flight(1);
  v1::Call& call = *connect.mutable_call();
  call.set_kind("unary");
  call.set_compression("none");
  call.set_payload("zeros");
  call.set_deadline_ns(60'000'000'000);
  connect.mutable_background()->set_kind("unary");
  connect.mutable_background()->set_request_bytes(kLostBytes);
  return command;
}

v1::Command begin() {
  v1::Command command;
  v1::Begin& begin = *command.mutable_begin();
  begin.set_phase(v1::PHASE_WARMUP);
  begin.mutable_load()->set_arrivals("closed");
  begin.set_calls(1);
  return command;
}

// The library still has what the call uses, and may call it.
TEST(Conversation, WhatABackgroundCallUsesThatNeverReturnedIsNotFreed) {
  Events events;
  control::EventWriter writer(events.end());
  const std::atomic<bool> ended = false;
  Stacks stacks;
  auto made = std::make_unique<Deaf>();
  Deaf& deaf = *made;
  stacks.push_back(std::move(made));
  stack::Listener* unheard = nullptr;
  {
    Conversation conversation(stacks, writer, ended);
    conversation.obey(connect_with_background());
    ASSERT_TRUE(events.next().has_connected());
    conversation.obey(begin());
    v1::Event event = events.next();
    while (event.has_interval()) event = events.next();
    ASSERT_TRUE(event.has_done()) << event.ShortDebugString();
    unheard = deaf.unheard.get_future().get();

    conversation.obey(connect_with_background());
    event = events.next();
    EXPECT_EQ(event.fault().field(), "connect");
    EXPECT_EQ(event.fault().message(), "a call of the connections before has not returned");
    conversation.obey(begin());
    EXPECT_EQ(events.next().fault().field(), "begin") << "there is no connection any more";
    EXPECT_EQ(deaf.open, 1);
  }
  EXPECT_EQ(deaf.open, 1);
  unheard->done(nullptr);  // at last
}

}  // namespace
}  // namespace rpcbench::worker
