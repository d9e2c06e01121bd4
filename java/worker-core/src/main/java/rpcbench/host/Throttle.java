package rpcbench.host;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * How long the quota of a control group kept threads off processors that they could have used, summed over processors: cpu.stat
 * in the kernel's Documentation/admin-guide/cgroup-v2.rst and scheduler/sched-bwc.rst.
 */
final class Throttle {
  private static final String ROOT = "sys/fs/cgroup";

  private Throttle() {}

  /** Returns it in ns, of this process's group or of the enclosing one that lost most; absent if none counts it. root is /. */
  static OptionalLong ns(Path root) {
    OptionalLong most = OptionalLong.empty();
    for (String line : Proc.read(root.resolve("proc/self/cgroup")).split("\n")) {
      String[] parts = line.trim().split(":", 3); // hierarchy, controllers, the group
      if (parts.length == 3) {
        for (String mount : mounts(parts[1])) {
          most = more(most, enclosing(root.resolve(mount), parts[2]));
        }
      }
    }
    return most;
  }

  /** Returns the folders where the groups of controllers are: version 2 names none. */
  private static List<String> mounts(String controllers) {
    if (controllers.isEmpty()) {
      return List.of(ROOT);
    }
    return Arrays.asList(controllers.split(",")).contains("cpu")
        ? List.of(ROOT + "/" + controllers, ROOT + "/cpu")
        : List.of();
  }

  /** Returns the most that a group lost, or one around it. */
  private static OptionalLong enclosing(Path mount, String group) {
    OptionalLong most = in(mount);
    try {
      Path folder = mount;
      for (Path name : Paths.get("/" + group).normalize()) {
        folder = folder.resolve(name);
        most = more(most, in(folder));
      }
    } catch (InvalidPathException e) {
      return most; // the JVM can't name the group's folder
    }
    return most;
  }

  /** Reads a group's cpu.stat, in which version 2 counts in µs and version 1 in ns. */
  private static OptionalLong in(Path group) {
    for (String line : Proc.read(group.resolve("cpu.stat")).split("\n")) {
      String[] field = line.trim().split(" ", 2);
      long unit = field[0].equals("throttled_usec") ? 1000 : field[0].equals("throttled_time") ? 1 : 0;
      OptionalLong n = unit > 0 && field.length == 2 ? Proc.number(field[1]) : OptionalLong.empty();
      if (n.isPresent() && n.getAsLong() >= 0) {
        return OptionalLong.of(n.getAsLong() * unit);
      }
    }
    return OptionalLong.empty();
  }

  private static OptionalLong more(OptionalLong a, OptionalLong b) {
    return !b.isPresent() || a.isPresent() && a.getAsLong() >= b.getAsLong() ? a : b;
  }
}
