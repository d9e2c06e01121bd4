package rpcbench.codec;

import java.util.function.LongSupplier;

/** Determines the number of operations in a call. */
final class Calibration {
  /** Operations before the first timing, as in the original. */
  private static final int WARMUP = 100;

  /**
   * The minimum number of samples for warming up, and its maximum time. A JVM's first operations are many times slower than those
   * measured later, so too few would be found.
   */
  private static final int WARMUP_SAMPLES = 10;

  private static final long WARMUP_MAX_NS = 1_000_000_000;

  /**
   * How long operations must take before their number is scaled to a long sample, as in the original. It limits the time for
   * calibration.
   */
  private static final long TIMED_MAX_NS = 2_000_000_000;

  private Calibration() {}

  /** Performs n operations. */
  @FunctionalInterface
  interface Run {
    void operations(long n) throws Exception;
  }

  /**
   * Returns how many operations take as long as a sample, at least 1. It doubles the number until the operations take a fifth of
   * the sample, or TIMED_MAX_NS, twice in a row, and scales the quicker of the two, because a single one may have been delayed.
   * It takes about 12 samples, and rarely more than 10 s.
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
