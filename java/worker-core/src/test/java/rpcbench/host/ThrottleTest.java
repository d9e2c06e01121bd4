package rpcbench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThrottleTest {
  private static final String V2 = "usage_usec 9\nnr_periods 4\nnr_throttled 2\nthrottled_usec ";

  @TempDir private Path root;

  /** Writes files below the root, and returns how long threads were kept off processors. */
  private OptionalLong ns(Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = root.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
    return Throttle.ns(root);
  }

  @Test
  void itIsThatOfTheGroup() throws IOException {
    assertEquals(
        OptionalLong.of(1_500_000),
        ns(Map.of("proc/self/cgroup", "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.stat", V2 + "1500\nnr_bursts 0\n")));
  }

  @Test
  void itIsThatOfTheGroupAroundItThatLostMore() throws IOException {
    assertEquals(
        OptionalLong.of(7_000),
        ns(Map.of(
            "proc/self/cgroup", "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.stat", V2 + "1\n",
            "sys/fs/cgroup/a/cpu.stat", V2 + "7\n", "sys/fs/cgroup/cpu.stat", V2 + "2\n")));
  }

  @Test
  void inAContainerItsGroupIsTheRoot() throws IOException {
    assertEquals(OptionalLong.of(3_000), ns(Map.of("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/cpu.stat", V2 + "3\n")));
  }

  @Test
  void version1CountsInNanoseconds() throws IOException {
    assertEquals(
        OptionalLong.of(5),
        ns(Map.of(
            "proc/self/cgroup", "4:memory:/m\n2:cpu,cpuacct:/x\n0::/\n",
            "sys/fs/cgroup/cpu,cpuacct/x/cpu.stat", "nr_periods 1\nthrottled_time 5\n")));
  }

  @Test
  void version1MayNameAPathOfTheHost() throws IOException {
    assertEquals(
        OptionalLong.of(6),
        ns(Map.of("proc/self/cgroup", "2:cpu:/docker/x\n", "sys/fs/cgroup/cpu/cpu.stat", "throttled_time 6\n")));
  }

  @Test
  void aGroupOutsideTheNamespaceIsLookedForBelowTheRoot() throws IOException {
    assertEquals(
        OptionalLong.of(2_000), ns(Map.of("proc/self/cgroup", "0::/../../a\n", "sys/fs/cgroup/a/cpu.stat", V2 + "2\n")));
  }

  @Test
  void itIsAbsentWhereNothingCountsIt() throws IOException {
    assertEquals(OptionalLong.empty(), ns(Map.of()));
    assertEquals(OptionalLong.empty(), ns(Map.of("proc/self/cgroup", "nothing\n")));
    assertEquals(
        OptionalLong.empty(), ns(Map.of("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/cpu.stat", "usage_usec 9\n")));
    assertEquals(OptionalLong.empty(), ns(Map.of("sys/fs/cgroup/cpu.stat", V2 + "-3\n")));
  }
}
