package rpcbench.host;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The CPU time of the threads that compile. It is safe for concurrent use.
 *
 * <p>HotSpot ends such threads while it has little to compile, and later starts others with the same names.
 */
final class Compilers {
  private final Supplier<Map<String, Long>> threads;
  private final ThreadSum sum = new ThreadSum();
  private boolean known;

  /** Takes a source of the CPU time in ns of the JVM's threads, by their names. */
  Compilers(Supplier<Map<String, Long>> threads) {
    this.threads = threads;
  }

  /** Returns the total of all threads so far; absent if the JVM does not report it or has no such thread, as with -Xint. */
  synchronized OptionalLong cpuNs() {
    Map<String, Long> now = read();
    long ns = sum.with(now);
    known |= !now.isEmpty();
    return known ? OptionalLong.of(ns) : OptionalLong.empty();
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
