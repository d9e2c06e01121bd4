package rpcbench.codec;

import java.util.function.LongSupplier;

/** Finds how many operations a call has. */
final class Calibration {
  /** Operations before anything is timed, as in the original. */
  private static final int WARMUP = 100;

  /**
   * How many samples warming up takes at least, and how long at most. A JVM runs its first operations many times as
   * slowly as those that are measured later, and would find too few.
   */
  private static final int WARMUP_SAMPLES = 10;

  private static final long WARMUP_MAX_NS = 1_000_000_000;

  /**
   * How long operations must take to be scaled to a long sample, as in the original: it bounds how long calibration
   * takes.
   */
  private static final long TIMED_MAX_NS = 2_000_000_000;

  private Calibration() {}

  /** Performs n operations. */
  @FunctionalInterface
  interface Run {
    void operations(long n) throws Exception;
  }

  /**
   * Finds how many operations take as long as a sample, at least 1: it doubles their number until they take a fifth of
   * it, or TIMED_MAX_NS, twice in a row, and scales the quicker of the two: one alone may have been held up. It takes
   * about 12 samples, and seldom more than 10 s.
   *
   * @param now a monotonic clock, in ns
   */
  static long repeat(LongSupplier now, long sampleNs, Run run) throws Exception {
    warmUp(now, sampleNs, run);
    long enough = Math.min(Math.max(sampleNs / 5, 1), TIMED_MAX_NS);
    for (long n = 1; ; n *= 2) {
      long elapsed = timed(now, n, run);
      if (elapsed >= enough) {
        elapsed = Math.min(elapsed, timed(now, n, run));
      }
      if (elapsed >= enough) {
        return Math.max(1, (long) ((double) n * sampleNs / elapsed));
      }
    }
  }

  private static long timed(LongSupplier now, long n, Run run) throws Exception {
    long begun = now.getAsLong();
    run.operations(n);
    return now.getAsLong() - begun;
  }

  private static void warmUp(LongSupplier now, long sampleNs, Run run) throws Exception {
    long enough = Math.min(WARMUP_SAMPLES * sampleNs, WARMUP_MAX_NS);
    long begun = now.getAsLong();
    long elapsed = 0;
    for (int i = 0; elapsed < WARMUP_MAX_NS && (i < WARMUP || elapsed < enough); i++) {
      run.operations(1);
      elapsed = now.getAsLong() - begun;
    }
  }
}
