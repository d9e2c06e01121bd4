package rpcbench.host;

import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * How long the threads of this process were runnable: ran, or waited for a processor. Safe for concurrent use.
 *
 * <p>Linux reports it for living threads. An ended thread counts with its last reading.
 */
final class RunnableTime {
  private final Path threads;
  private final Supplier<Proc.Cpu> cpu;
  private final ThreadSum sum = new ThreadSum();

  /**
   * Takes the folder with a subfolder for each living thread, and a source of the CPU time, for systems without that folder. It
   * returns null if it is unknown.
   */
  RunnableTime(Path threads, Supplier<Proc.Cpu> cpu) {
    this.threads = threads;
    this.cpu = cpu;
  }

  /** Returns the total of all threads so far, in ns. It is the CPU time if the system reports no more, and 0 if not even that. */
  synchronized long ns() {
    long runnable = sum.with(Schedstat.runnableNs(threads));
    if (runnable > 0) {
      return runnable;
    }
    Proc.Cpu used = cpu.get();
    return used == null ? 0 : used.userNs() + used.systemNs();
  }
}
