#include "worker/servers.h"

#include <gtest/gtest.h>

namespace rpcbench::worker {
namespace {

// A stack whose servers can't be started: a test that gets as far has accepted the command.
class Idle : public stack::Stack {
 public:
  Idle() {
    info_.name = "idle";
    info_.serves = true;
    info_.networks = {"tcp"};
    info_.securities = {"plaintext"};
  }

  const stack::Info& info() const override { return info_; }

  std::unique_ptr<stack::Server> serve(const stack::ServeConfig&) override {
    served_ = true;
    return nullptr;
  }

  std::unique_ptr<stack::Conn> dial(const stack::DialConfig&) override { return nullptr; }

  bool served() const { return served_; }

 private:
  stack::Info info_;
  bool served_ = false;
};

v1::Serve plain() {
  v1::Serve serve;
  serve.set_stack("idle");
  serve.set_network("tcp");
  serve.set_address("127.0.0.1:0");
  serve.mutable_security()->set_mode("plaintext");
  serve.set_payload("zeros");
  return serve;
}

// Returns the field that a Serve is refused for, and an empty text if a server is started.
std::string refused(const v1::Serve& serve) {
  Stacks stacks;
  auto idle = std::make_unique<Idle>();
  const Idle& stack = *idle;
  stacks.push_back(std::move(idle));
  try {
    start_server(serve, stacks);
  } catch (const control::FaultError& e) {
    EXPECT_FALSE(stack.served());
    return e.field();
  }
  EXPECT_TRUE(stack.served());
  return "";
}

TEST(Servers, RefuseAStore) {
  v1::Serve serve = plain();
  EXPECT_EQ(refused(serve), "");
  serve.mutable_store()->set_records(10);
  EXPECT_EQ(refused(serve), "serve.store");
}

TEST(Servers, RefuseSeveralPorts) {
  v1::Serve serve = plain();
  serve.set_ports(1);
  EXPECT_EQ(refused(serve), "") << "one port";
  serve.set_ports(2);
  EXPECT_EQ(refused(serve), "serve.ports");
}

}  // namespace
}  // namespace rpcbench::worker
