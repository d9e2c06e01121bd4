#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grpc/stacks.h"
#include "host/host.h"

namespace rpcbench::grpcpp {
namespace {

// Returns how many threads of this process poll completion queues.
int polling() {
  int threads = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    if (host::read((thread.path() / "comm").string()) == "rpcbench-queue\n") ++threads;
  }
  return threads;
}

// A Connect that follows another in the same process has a number of its own.
TEST(QueuesTest, AreAsManyAsAConnectAsksFor) {
  const std::vector<std::unique_ptr<stack::Stack>> all = stacks();
  const auto async = std::find_if(all.begin(), all.end(), [](const auto& s) { return s->info().name == "grpc-cpp-async"; });
  ASSERT_NE(async, all.end());
  const auto polling_after = [&async](const std::string& threads) {
    stack::DialConfig config;
    config.network = "tcp";
    config.address = "127.0.0.1:1";  // it does not connect yet
    config.options["queue_threads"] = threads;
    const std::unique_ptr<stack::Conn> conn = (*async)->dial(config);
    return polling();
  };
  const int before = polling();
  EXPECT_EQ(polling_after("1"), before + 1);
  EXPECT_EQ(polling_after("3"), before + 1 + 3);
  EXPECT_EQ(polling_after("3"), before + 1 + 3) << "they are shared";
  EXPECT_EQ(polling_after("1"), before + 1 + 3);
}

}  // namespace
}  // namespace rpcbench::grpcpp
