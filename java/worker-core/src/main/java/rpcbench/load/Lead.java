package rpcbench.load;

/**
 * How long before a due time a waiting thread stops sleeping and starts to spin. It adapts to the lateness of the machine's timers:
 * it grows by a large step when a sleep ends too late for it, and shrinks by a small one otherwise. So it settles where one sleep in
 * MISS is too late. Not safe for concurrent use.
 */
final class Lead {
  private static final long FIRST_NS = 100_000;
  private static final long MIN_NS = 20_000;
  private static final long MAX_NS = 300_000;
  private static final long STEP_NS = 20_000;
  private static final long MISS = 200;

  private long ns = FIRST_NS;

  long ns() {
    return ns;
  }

  /** Adapts to a sleep that ended lateNs late. */
  void learn(long lateNs) {
    ns = lateNs > ns ? Math.min(ns + STEP_NS, MAX_NS) : Math.max(ns - STEP_NS / (MISS - 1), MIN_NS);
  }
}
