#include "worker/check.h"

#include <gtest/gtest.h>

namespace rpcbench::worker {
namespace {

stack::Info multiplexed() {
  stack::Info info;
  info.name = "some";
  info.calls = true;
  info.kinds = {"connect", "unary"};
  info.networks = {"tcp"};
  info.securities = {"plaintext"};
  info.compressions = {"none"};
  info.multiplexed = true;
  return info;
}

v1::Connect unary() {
  v1::Connect connect;
  connect.set_network("tcp");
  connect.add_addresses("127.0.0.1:1");
  connect.mutable_security()->set_mode("plaintext");
  connect.set_connections(1);
  connect.set_in_flight(1);
  v1::Call& call = *connect.mutable_call();
  call.set_kind("unary");
  call.set_compression("none");
  call.set_payload("zeros");
  call.set_deadline_ns(1'000'000'000);
  return connect;
}

// Returns the field that a check refuses; empty if it accepts the command.
std::string refused(const stack::Info& info, const v1::Connect& connect) {
  try {
    check::connect(info, connect);
  } catch (const control::FaultError& e) {
    return e.field();
  }
  return "";
}

TEST(Check, AcceptsIdleStreams) {
  v1::Connect connect = unary();
  connect.set_idle_streams(10'000);
  EXPECT_EQ(refused(multiplexed(), connect), "");
}

TEST(Check, RefusesIdleStreamsThatCantBe) {
  v1::Connect connect = unary();
  connect.set_idle_streams(10'001);
  EXPECT_EQ(refused(multiplexed(), connect), "connect.idle_streams") << "too many";
  connect.set_idle_streams(1);
  stack::Info single = multiplexed();
  single.multiplexed = false;
  EXPECT_EQ(refused(single, connect), "connect.idle_streams") << "without multiplexing";
  connect.mutable_call()->set_kind("connect");
  EXPECT_EQ(refused(multiplexed(), connect), "connect.idle_streams") << "without a connection";
}

TEST(Check, RefusesSizesAndAccesses) {
  v1::Connect sizes = unary();
  sizes.mutable_call()->mutable_sizes()->set_seed(1);
  EXPECT_EQ(refused(multiplexed(), sizes), "connect.call.sizes");
  v1::Connect accesses = unary();
  accesses.mutable_call()->mutable_accesses()->set_seed(1);
  EXPECT_EQ(refused(multiplexed(), accesses), "connect.call.accesses");
}

TEST(Check, RefusesAMix) {
  v1::Connect mix = unary();
  mix.mutable_call()->mutable_mix()->set_seed(1);
  EXPECT_EQ(refused(multiplexed(), mix), "connect.call.mix");
}

}  // namespace
}  // namespace rpcbench::worker
