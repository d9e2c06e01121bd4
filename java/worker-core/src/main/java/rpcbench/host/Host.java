package rpcbench.host;

import java.nio.file.Paths;
import java.util.OptionalLong;

/** Reads the resource usage of this process. Safe for concurrent use. */
public final class Host {
  private static final Switches SWITCHES = new Switches(Paths.get("/proc/self/task"));
  private static final CpuTime CPU = new CpuTime(Paths.get("/proc/self/task"), Proc::cpu);
  private static final RunnableTime RUNNABLE = new RunnableTime(Paths.get("/proc/self/task"), Proc::cpu);

  private static final long SLACK_NS = 1000;

  private Host() {}

  /** How many processors this process may run on. */
  public static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Reads this process's usage. */
  public static Usage self() {
    return usage(CPU.read(), SWITCHES.total());
  }

  /** Reads this process's usage without a look at each thread: its CPU time in ticks, and no context switches. */
  public static Usage brief() {
    return usage(CPU.readTicks(), null);
  }

  private static Usage usage(Proc.Cpu cpu, Switches.Count switches) {
    Runtime runtime = Runtime.getRuntime();
    long committed = runtime.totalMemory();
    boolean beans = Beans.present();
    return new Usage(
        cpu == null ? OptionalLong.empty() : OptionalLong.of(cpu.userNs()),
        cpu == null ? OptionalLong.empty() : OptionalLong.of(cpu.systemNs()),
        Proc.peakMemoryBytes(),
        beans ? Beans.gcCycles() : OptionalLong.empty(),
        beans ? Beans.gcPauseNs() : OptionalLong.empty(),
        beans ? Beans.allocatedBytes() : OptionalLong.empty(),
        OptionalLong.of(committed - runtime.freeMemory()),
        OptionalLong.of(committed),
        switches == null ? OptionalLong.empty() : OptionalLong.of(switches.voluntary()),
        switches == null ? OptionalLong.empty() : OptionalLong.of(switches.involuntary()),
        beans ? Beans.compilerCpuNs() : OptionalLong.empty(),
        beans ? Beans.compilations() : OptionalLong.empty(),
        beans ? Beans.safepointSyncNs() : OptionalLong.empty(),
        beans ? Beans.safepoints() : OptionalLong.empty(),
        Throttle.ns(Paths.get("/")));
  }

  /**
   * Lowers the timer slack of the calling thread, and of the threads that it starts afterwards, from 50 µs to 1 µs, if the system
   * allows it.
   */
  public static void lowerTimerSlack() {
    Proc.setTimerSlack(SLACK_NS);
  }

  /** Returns the CPU time of the calling thread in ns, −1 if unknown. Allocates nothing. */
  public static long threadCpuNs() {
    return Beans.present() ? Beans.threadCpuNs() : -1;
  }

  /**
   * Returns how long this process's threads have run or waited for a processor so far, all together, in ns. Where the system does
   * not report how long they waited, it is their CPU time.
   */
  public static long runnableNs() {
    return RUNNABLE.ns();
  }
}
