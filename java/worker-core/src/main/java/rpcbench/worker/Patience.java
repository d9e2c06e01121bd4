package rpcbench.worker;

import java.util.function.LongSupplier;
import rpcbench.host.Host;

/**
 * The time that this process waits for a peer. Only the time in which it has nothing else to do counts: a JVM's first connection
 * loads its library, which takes seconds of CPU time and, on a busy machine, many times that. Time in which the process was
 * stopped does not count either. Not safe for concurrent use.
 */
final class Patience {
  /**
   * The wait before the first look, with which the count begins. To look is to read a file of each of the process's threads, of
   * which there may be one for each connection, and most waits end sooner.
   */
  private static final long SOON_NS = 10_000_000;

  /** The maximum time between two looks at what the process did meanwhile. */
  private static final long STEP_NS = 1_000_000_000L;

  /** The multiple of the idle time after which the wait is over, whatever the process does. */
  private static final long WHOLE = 3;

  private final long limitNs;
  private final LongSupplier clock;
  private final LongSupplier runnable;
  private boolean looked;
  private long seenNs;
  private long seenRunnableNs;
  private long passedNs;
  private long idleNs;

  /** Starts to wait until the process has been idle for a time, or has waited three times as long. */
  Patience(long limitNs) {
    this(limitNs, System::nanoTime, Host::runnableNs);
  }

  /** Takes a clock, and how long all threads of this process were runnable so far, both in ns. */
  Patience(long limitNs, LongSupplier clock, LongSupplier runnable) {
    this.limitNs = limitNs;
    this.clock = clock;
    this.runnable = runnable;
  }

  /** Returns how long to wait before {@link #isOver} is asked again. */
  long stepNs() {
    return looked ? Math.max(1, Math.min(STEP_NS, limitNs - idleNs)) : SOON_NS;
  }

  /** Counts the time since it was last asked, and reports whether the wait is over. */
  boolean isOver() {
    long now = clock.getAsLong();
    long wasRunnableNs = runnable.getAsLong();
    if (looked) {
      long slept = now - seenNs > 2 * STEP_NS ? STEP_NS : now - seenNs; // later than that only if the process was stopped
      passedNs += slept;
      idleNs += Math.max(0, slept - (wasRunnableNs - seenRunnableNs));
    }
    looked = true;
    seenNs = now;
    seenRunnableNs = wasRunnableNs;
    return idleNs >= limitNs || passedNs >= WHOLE * limitNs;
  }

  /** Describes how long it has waited: "30 s", or "90 s, for 75 s of which the worker ran or waited for a processor". */
  @Override
  public String toString() {
    long passed = seconds(passedNs);
    return idleNs >= limitNs
        ? seconds(limitNs) + " s"
        : passed + " s, for " + (passed - seconds(idleNs)) + " s of which the worker ran or waited for a processor";
  }

  private static long seconds(long ns) {
    return Math.round(ns / 1e9);
  }
}
