#include "grpc/unix_uri.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "folder.h"
#include "grpc/stacks.h"

namespace rpcbench::grpcpp {
namespace {

TEST(UnixUriTest, HasOnlyWhatAPathOfAUriMayHave) {
  EXPECT_EQ(unix_uri("/tmp/a-b_c.d~/9"), "unix:/tmp/a-b_c.d~/9");
  EXPECT_EQ(unix_uri("/a b/100%/%41?#é"), "unix:/a%20b/100%25/%2541%3F%23%C3%A9");
}

TEST(UnixUriTest, ASocketMayHaveAnyName) {
  const std::vector<std::unique_ptr<stack::Stack>> all = stacks();
  ASSERT_EQ(all.front()->info().name, "grpc-cpp-callback");
  const test::Folder folder;
  const std::atomic<bool> ended = false;
  for (const char* name : {"plain", "a b", "100%", "%41", "a?b#c", "é:@!"}) {
    const std::filesystem::path path = folder.path() / name;
    stack::ServeConfig serve;
    serve.network = "unix";
    serve.address = path.string();
    const std::unique_ptr<stack::Server> server = all.front()->serve(serve);
    EXPECT_TRUE(std::filesystem::is_socket(path)) << name;
    stack::DialConfig dial;
    dial.network = "unix";
    dial.address = path.string();
    EXPECT_NO_THROW(all.front()->dial(dial)->ready(10'000'000'000, ended)) << name;
    server->stop(0);
  }
}

}  // namespace
}  // namespace rpcbench::grpcpp
