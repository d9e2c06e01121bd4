package rpcbench.host;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The CPU time of the threads that compile. Its methods may be called concurrently.
 *
 * <p>HotSpot ends such threads while it has little to compile, and starts others by the same names, at 0. So that the sum
 * never shrinks, a thread that is gone keeps what it had when it was last read.
 */
final class Compilers {
  private final Supplier<Map<String, Long>> threads;
  private Map<String, Long> living = Map.of();
  private long endedNs;
  private boolean known;

  /** Takes what tells the CPU time in ns of the machine's threads, by their names. */
  Compilers(Supplier<Map<String, Long>> threads) {
    this.threads = threads;
  }

  /** Of all threads so far; absent where the machine does not tell, and where it has no such thread, as with -Xint. */
  synchronized OptionalLong cpuNs() {
    Map<String, Long> now = read();
    living.forEach(
        (name, before) -> {
          Long after = now.get(name);
          if (after == null || after < before) { // less: another thread has its name now
            endedNs += before;
          }
        });
    living = now;
    known |= !now.isEmpty();
    return known
        ? OptionalLong.of(endedNs + now.values().stream().mapToLong(Long::longValue).sum())
        : OptionalLong.empty();
  }

  private Map<String, Long> read() {
    Map<String, Long> compiling = new HashMap<>(threads.get());
    compiling.keySet().removeIf(name -> !compiles(name));
    return compiling;
  }

  /** "C1 CompilerThread0", "C2 CompilerThread0"; of Graal "JVMCI CompilerThread0", "JVMCI-native CompilerThread0". */
  private static boolean compiles(String thread) {
    return thread.contains("CompilerThread");
  }
}
