package rpcbench.worker;

/** Limits of one worker, in addition to {@link rpcbench.stack.Bounds}; Go's worker has the same. */
final class Limits {
  static final long DEADLINE_MIN_NS = 1_000_000;
  static final long SAMPLE_MIN_NS = 1_000_000;
  static final long SAMPLE_MAX_NS = 60_000_000_000L;

  /** Slots take memory; no load that means something has more. */
  static final long SLOTS_MAX = 1_000_000;

  /** How long one connection may take to open, as {@link Patience} counts. */
  static final long DIAL_PATIENCE_NS = 30_000_000_000L;

  /** How long connections may take to close: some libraries close theirs after close has returned. */
  static final long CLOSING_PATIENCE_NS = 10_000_000_000L;

  /** How long a server waits for calls in flight when the worker ends. */
  static final long STOP_GRACE_NS = 2_000_000_000L;

  private Limits() {}
}
