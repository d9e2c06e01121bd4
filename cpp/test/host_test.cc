#include "host/host.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

#include "folder.h"

namespace rpcbench::host {
namespace {

// The cases are those of Go.
TEST(HostTest, ThrottlingIsThatOfTheGroupThatLostMost) {
  struct Case {
    std::string name;
    std::map<std::string, std::string> files;
    std::optional<int64_t> want;
  };
  const std::string v2 = "usage_usec 9\nnr_periods 4\nnr_throttled 2\nthrottled_usec ";
  const std::string group = "proc/self/cgroup";
  const std::string root = "sys/fs/cgroup";
  const Case cases[] = {
      {"version 2", {{group, "0::/a/b\n"}, {root + "/a/b/cpu.stat", v2 + "1500\nnr_bursts 0\n"}}, 1'500'000},
      {"a quota around it",
       {{group, "0::/a/b\n"}, {root + "/a/b/cpu.stat", v2 + "1\n"}, {root + "/a/cpu.stat", v2 + "7\n"}},
       7'000},
      {"in a container", {{group, "0::/\n"}, {root + "/cpu.stat", v2 + "3\n"}}, 3'000},
      {"version 1",
       {{group, "4:memory:/m\n2:cpu,cpuacct:/x\n0::/\n"},
        {root + "/cpu,cpuacct/x/cpu.stat", "nr_periods 1\nthrottled_time 5\n"}},
       5},
      {"version 1, whose path is of the host",
       {{group, "2:cpu:/docker/x\n"}, {root + "/cpu/cpu.stat", "throttled_time 6\n"}},
       6},
      {"no quota", {{group, "0::/\n"}, {root + "/cpu.stat", "usage_usec 9\n"}}, std::nullopt},
      {"no number", {{group, "0::/\n"}, {root + "/cpu.stat", v2 + "-3\n"}}, std::nullopt},
      {"no group", {{group, "nothing\n"}, {root + "/cpu.stat", v2 + "3\n"}}, std::nullopt},
      {"another path", {{group, "0::/../../a\n"}, {root + "/a/cpu.stat", v2 + "2\n"}}, 2'000},
      {"nothing", {}, std::nullopt},
  };
  for (const Case& of : cases) {
    EXPECT_EQ(throttled(test::Folder(of.files).path().string()), of.want) << of.name;
  }
}

}  // namespace
}  // namespace rpcbench::host
