package rpcbench.load;

/**
 * Cancels calls that exceed the deadline, so that no call needs a timer of its own, and calls in flight when the drain ends. It
 * has its own thread, because a stack's cancel might hang.
 */
final class Watchdog {
  private static final long TICK_MIN_NS = 1_000_000;
  private static final long TICK_MAX_NS = 100_000_000;

  /** How often it looks again for calls that were sent while all were being cut off. */
  private static final long CUT_AGAIN_NS = 10_000_000;

  private final Phase phase;
  private final Time time;
  private final Slot[] slots;
  private final long deadlineNs;
  private final long tickNs;

  private Thread thread;
  private volatile boolean cut;
  private volatile boolean ended;
  private volatile boolean returned;

  Watchdog(Phase phase, Time time, SlotPool pool) {
    this.phase = phase;
    this.time = time;
    this.slots = pool.slots;
    this.deadlineNs = pool.deadlineNs;
    this.tickNs = Math.min(Math.max(deadlineNs / 20, TICK_MIN_NS), TICK_MAX_NS);
  }

  void begin() {
    thread = time.start("rpcbench-watchdog", this::watch);
  }

  /** Cancels all that is in flight, on the watchdog's thread, now and until the end. */
  void cut() {
    cut = true;
    time.unpark(thread);
  }

  /** Ends it, and waits for that at most patienceNs: a cancel that hangs keeps its slot from the next phase anyway. */
  void end(long patienceNs) {
    ended = true;
    time.unpark(thread);
    long until = phase.nowNs() + patienceNs;
    for (long rest = patienceNs; !returned && rest > 0; rest = until - phase.nowNs()) {
      phase.park(rest);
    }
  }

  /**
   * Looks at all slots only when a call may be too old: with tens of thousands of them a look takes as long as several calls, and
   * on one processor delays those that are due meanwhile.
   */
  private void watch() {
    long next = phase.nowNs() + tickNs;
    while (!ended) {
      long now = phase.nowNs();
      if (now >= next || cut) {
        long left = look(now);
        next = now + (cut ? Math.min(tickNs, CUT_AGAIN_NS) : Math.max(left, tickNs));
      }
      time.parkNs(Math.max(next - phase.nowNs(), TICK_MIN_NS));
      Thread.interrupted(); // it means nothing here, and left standing no park would block
    }
    returned = true;
    phase.wakeRunner();
  }

  /** Cancels what is to be canceled, and returns how long all other calls have left. */
  private long look(long now) {
    long oldest = now;
    for (Slot slot : slots) {
      if (ended) {
        return 0;
      }
      if (cut) {
        slot.cutOff();
      } else {
        oldest = Math.min(oldest, slot.cancelIfLate(now - deadlineNs));
      }
    }
    return oldest + deadlineNs - now;
  }
}
