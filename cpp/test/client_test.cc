#include "worker/client.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace rpcbench::worker {
namespace {

// A stack that notes how many connections are begun and not ready.
class Counting final : public stack::Stack {
 public:
  Counting() {
    info_.name = "counting";
    info_.calls = true;
    info_.kinds = {"unary"};
    info_.networks = {"tcp"};
    info_.securities = {"plaintext"};
    info_.compressions = {"none"};
  }

  const stack::Info& info() const override { return info_; }
  std::unique_ptr<stack::Server> serve(const stack::ServeConfig&) override { return nullptr; }
  std::unique_ptr<stack::Conn> dial(const stack::DialConfig& config) override {
    addresses.push_back(config.address);
    return std::make_unique<Conn>(*this);
  }

  std::vector<std::string> addresses;  // in the order of dialing
  std::vector<int> opening;            // before each connection was ready

 private:
  class Caller final : public stack::Caller {
    void start(stack::Listener& listener) override { listener.done(nullptr); }
    void cancel() override {}
    const stack::Failure* after() override { return nullptr; }
  };

  class Conn final : public stack::Conn {
   public:
    explicit Conn(Counting& stack) : stack_(stack) {}
    std::unique_ptr<stack::Caller> caller(const stack::Call&, int) override { return std::make_unique<Caller>(); }
    void begin() override { ++stack_.begun_; }
    void ready(int64_t, const std::atomic<bool>&) override {
      stack_.opening.push_back(stack_.begun_);
      --stack_.begun_;
    }

   private:
    Counting& stack_;
  };

  stack::Info info_;
  int begun_ = 0;
};

v1::Connect connect_of(uint32_t connections) {
  v1::Connect connect;
  connect.set_stack("counting");
  connect.set_network("tcp");
  connect.add_addresses("127.0.0.1:1");
  connect.add_addresses("127.0.0.1:2");
  connect.mutable_security()->set_mode("plaintext");
  connect.set_connections(connections);
  connect.set_in_flight(1);
  v1::Call& call = *connect.mutable_call();
  call.set_kind("unary");
  call.set_compression("none");
  call.set_payload("zeros");
  call.set_deadline_ns(1'000'000'000);
  return connect;
}

TEST(Client, OpensTheFirstConnectionAloneAndThen64AtOnce) {
  Stacks stacks;
  auto made = std::make_unique<Counting>();
  Counting& stack = *made;
  stacks.push_back(std::move(made));
  const std::atomic<bool> ended = false;
  const Client client(connect_of(1 + 64 + 64 + 3), stacks, ended);
  ASSERT_EQ(stack.opening.size(), 132U);
  EXPECT_EQ(stack.opening[0], 1);
  EXPECT_EQ(stack.opening[1], 64);
  EXPECT_EQ(stack.opening[1 + 64], 64);
  EXPECT_EQ(stack.opening[1 + 64 + 64], 3);
  EXPECT_EQ(*std::max_element(stack.opening.begin(), stack.opening.end()), 64);
  EXPECT_EQ(std::count(stack.addresses.begin(), stack.addresses.end(), "127.0.0.1:1"), 66) << "in turn";
  EXPECT_EQ(stack.addresses[3], "127.0.0.1:2");
}

}  // namespace
}  // namespace rpcbench::worker
