package rpcbench.host;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The CPU time of this process, in finer steps than the 10 ms in which Linux reports the total of all threads, including ended
 * ones. Safe for concurrent use.
 *
 * <p>For each living thread Linux reports the time in ns in /proc/self/task/ID/schedstat, at most some milliseconds old while the
 * thread runs. A thread that has ended counts with the last reading. The ticks include what that misses: the true time is that of
 * the ticks, or up to two ticks more, because user and system time are each rounded down.
 */
final class CpuTime {
  private final Path threads;
  private final Supplier<Proc.Cpu> ticks;
  private final ThreadSum sum = new ThreadSum();
  private long missedNs; // of threads that ended unseen
  private long aheadNs; // of the ticks, at the last reading of the threads
  private Proc.Cpu last = new Proc.Cpu(0, 0);

  /**
   * Takes the folder with a subfolder for each living thread, and a source of the ticks, which returns null if they are unknown.
   */
  CpuTime(Path threads, Supplier<Proc.Cpu> ticks) {
    this.threads = threads;
    this.ticks = ticks;
  }

  /** Returns the total of all threads so far; null if unknown. It is in ticks if the system has nothing finer. */
  synchronized Proc.Cpu read() {
    Map<String, Long> now = Schedstat.ranNs(threads);
    Proc.Cpu coarse = ticks.get();
    if (coarse == null || now.isEmpty()) {
      return coarse;
    }
    long total = Math.max(total(now, coarse.userNs() + coarse.systemNs()), last.userNs() + last.systemNs());
    aheadNs = total - coarse.userNs() - coarse.systemNs();
    last = divide(total, coarse);
    return last;
  }

  /** Is read without a look at each thread: the total grows by ticks since it was last read. */
  synchronized Proc.Cpu readTicks() {
    Proc.Cpu coarse = ticks.get();
    if (coarse == null) {
      return null;
    }
    long total = Math.max(coarse.userNs() + coarse.systemNs() + aheadNs, last.userNs() + last.systemNs());
    last = divide(total, coarse);
    return last;
  }

  private long total(Map<String, Long> now, long coarse) {
    long seen = sum.with(now);
    missedNs = Math.max(coarse - seen, Math.min(missedNs, coarse + 2 * Proc.TICK_NS - seen));
    return seen + missedNs;
  }

  /** Divides a total in proportion to the ticks, so that neither part decreases. */
  private Proc.Cpu divide(long total, Proc.Cpu coarse) {
    long all = coarse.userNs() + coarse.systemNs();
    long system = all == 0 ? 0 : (long) ((double) total * coarse.systemNs() / all);
    system = Math.min(Math.max(system, last.systemNs()), total - last.userNs());
    return new Proc.Cpu(total - system, system);
  }
}
