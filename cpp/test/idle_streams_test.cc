#include "worker/idle_streams.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace rpcbench::worker {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// A clock that advances by 10 s whenever it is read, and what then happens.
struct Clock {
  int64_t now = 0;
  std::function<void()> on_tick = [] {};

  int64_t tick() {
    now += 10 * kSecond;
    const auto then = on_tick;  // which may set another
    then();
    return now;
  }
};

// Counts streams.
struct Streams {
  int opened = 0;
  int cancelled = 0;
};

// A stream that opens when its time has passed.
class FarStream : public stack::Caller {
 public:
  FarStream(int64_t takes_ns, Clock& clock, Streams& streams) : takes_ns_(takes_ns), clock_(clock), streams_(streams) {}

  void start(stack::Listener& listener) override {
    listener_ = &listener;
    clock_.on_tick = [this, begun = clock_.now] {
      if (clock_.now - begun < takes_ns_) return;
      ++streams_.opened;
      clock_.on_tick = [] {};
      listener_->done(nullptr);
    };
  }

  void cancel() override {
    ++streams_.cancelled;
    const stack::Failure cancelled = {stack::Code::kCancelled, "cancelled"};
    listener_->done(&cancelled);
  }

  const stack::Failure* after() override { return nullptr; }

 private:
  int64_t takes_ns_;
  Clock& clock_;
  Streams& streams_;
  stack::Listener* listener_ = nullptr;
};

// A connection whose streams take as long.
class FarConn : public stack::Conn {
 public:
  FarConn(int64_t takes_ns, Clock& clock, Streams& streams) : takes_ns_(takes_ns), clock_(clock), streams_(streams) {}

  std::unique_ptr<stack::Caller> caller(const stack::Call&, int) override {
    return std::make_unique<FarStream>(takes_ns_, clock_, streams_);
  }

  void ready(int64_t, const std::atomic<bool>&) override {}

 private:
  int64_t takes_ns_;
  Clock& clock_;
  Streams& streams_;
};

// Opens two streams on each of two connections, where a stream takes as long, and returns what that says if it fails.
std::string open(int64_t first_ns, int64_t second_ns, Streams& streams) {
  Clock clock;
  std::vector<std::unique_ptr<stack::Conn>> conns;
  conns.push_back(std::make_unique<FarConn>(first_ns, clock, streams));
  conns.push_back(std::make_unique<FarConn>(second_ns, clock, streams));
  stack::Call call;
  call.streams = 2;
  const std::atomic<bool> ended = false;
  try {
    open_idle_streams(conns, call, 30 * kSecond, ended, [&clock] { return clock.tick(); });
  } catch (const stack::Error& e) {
    return e.what();
  }
  return "";
}

TEST(IdleStreams, EachIsWaitedForAnew) {
  Streams streams;
  EXPECT_EQ(open(20 * kSecond, 20 * kSecond, streams), "");
  EXPECT_EQ(streams.opened, 4);
  EXPECT_EQ(streams.cancelled, 0);
}

TEST(IdleStreams, OneThatDoesNotOpenInTimeIsLate) {
  Streams streams;
  EXPECT_EQ(open(10 * kSecond, 3600 * kSecond, streams), "DEADLINE_EXCEEDED: it was not open within 30 s");
  EXPECT_EQ(streams.opened, 2);
  EXPECT_EQ(streams.cancelled, 1);
}

}  // namespace
}  // namespace rpcbench::worker
