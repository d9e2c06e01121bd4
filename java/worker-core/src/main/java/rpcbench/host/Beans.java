package rpcbench.host;

import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * Reads the JDK's management beans, if present: Android's Java has none. Those of com.sun.management are in another module, which
 * not every runtime has.
 */
@JvmOnly
final class Beans {
  private static final boolean PRESENT = find("java.lang.management.ManagementFactory");
  private static final boolean COM_SUN = PRESENT && find("com.sun.management.ThreadMXBean");

  private Beans() {}

  static boolean present() {
    return PRESENT;
  }

  private static boolean find(String name) {
    try {
      Class.forName(name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Holds the beans; not loaded if there are none. */
  @JvmOnly
  private static final class Found {
    static final List<GarbageCollectorMXBean> COLLECTORS = ManagementFactory.getGarbageCollectorMXBeans();
    static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean(); // null in interpreted mode
    static final Compilers COMPILERS = new Compilers(HotSpot::threadCpuNs);
    static final boolean THREAD_CPU = THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();
  }

  /** Returns the number of collections so far. */
  static OptionalLong gcCycles() {
    return sum(Found.COLLECTORS, " Pauses", GarbageCollectorMXBean::getCollectionCount);
  }

  /** How long collectors stopped the program; the beans count milliseconds. */
  static OptionalLong gcPauseNs() {
    OptionalLong ms = sum(Found.COLLECTORS, " Cycles", GarbageCollectorMXBean::getCollectionTime);
    return ms.isPresent() ? OptionalLong.of(ms.getAsLong() * 1_000_000) : ms;
  }

  /**
   * Sums a figure over the collectors. ZGC and Shenandoah have two beans for one collector, "… Cycles" and "… Pauses": a
   * cycle runs concurrently with the program and has several pauses. From JDK 20 on G1 has such a bean too, "G1 Concurrent
   * GC", but its times are those of pauses.
   */
  static OptionalLong sum(
      List<GarbageCollectorMXBean> collectors, String without, ToLongFunction<GarbageCollectorMXBean> figure) {
    OptionalLong sum = OptionalLong.empty();
    for (GarbageCollectorMXBean collector : collectors) {
      long n = figure.applyAsLong(collector);
      if (n >= 0 && !collector.getName().endsWith(without)) { // negative is unknown
        sum = OptionalLong.of(sum.orElse(0) + n);
      }
    }
    return sum;
  }

  /** The names of the collectors. */
  static List<String> collectors() {
    return Found.COLLECTORS.stream().map(GarbageCollectorMXBean::getName).toList();
  }

  /** The options that the machine was started with. */
  static List<String> arguments() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments();
  }

  /** How long threads took to stop, whenever all had to; the bean counts milliseconds. */
  static OptionalLong safepointSyncNs() {
    OptionalLong ms = HotSpot.safepointSyncMs();
    return ms.isPresent() ? OptionalLong.of(ms.getAsLong() * 1_000_000) : ms;
  }

  static OptionalLong safepoints() {
    return HotSpot.safepoints();
  }

  static OptionalLong allocatedBytes() {
    return COM_SUN ? Allocation.totalBytes() : OptionalLong.empty();
  }

  /**
   * Returns the CPU time of the compiler threads. If the JVM does not report it, returns the elapsed time of compilations, which
   * is not less.
   */
  static OptionalLong compilerCpuNs() {
    OptionalLong cpu = Found.COMPILERS.cpuNs();
    return cpu.isPresent() || Found.COMPILER == null || !Found.COMPILER.isCompilationTimeMonitoringSupported()
        ? cpu
        : OptionalLong.of(Found.COMPILER.getTotalCompilationTime() * 1_000_000);
  }

  static OptionalLong compilations() {
    return HotSpot.compilations();
  }

  static long threadCpuNs() {
    return Found.THREAD_CPU ? Found.THREADS.getCurrentThreadCpuTime() : -1;
  }
}
