package rpcbench.load;

import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Starts the calls of an open load when they are due, each in the slot that has been idle longest. While no slot is idle it does
 * nothing: slots that become free take overdue calls themselves. In a closed load it starts the first calls, and those of slots
 * that a ramp adds. In both it resumes slots whose call ended while it was being canceled.
 */
final class Pacer {
  /** How long before an arrival the pacer starts to wait exactly, which costs more than to park. */
  private static final long NEAR_NS = 5_000_000;

  private final Phase phase;
  private final Time time;
  private final Slot[] slots;
  private final ConcurrentLinkedQueue<Slot> resumed = new ConcurrentLinkedQueue<>();
  private ArrivalQueue queue; // null in a closed load
  private volatile Thread thread;
  private volatile boolean ended;

  Pacer(Phase phase, Time time, Slot[] slots) {
    this.phase = phase;
    this.time = time;
    this.slots = slots;
  }

  /** Starts it; queue is null in a closed load. */
  void begin(ArrivalQueue queue) {
    this.queue = queue;
    time.start("rpcbench-pacer", this::run);
  }

  /** Ends the pacer, even if slots are lost. */
  void end() {
    ended = true;
    wake();
  }

  /** Wakes the pacer to check for work. */
  void wake() {
    Thread sleeper = thread;
    if (sleeper != null) {
      time.unpark(sleeper);
    }
  }

  /** Has a free slot go on, on the pacer's thread. */
  void resume(Slot slot) {
    resumed.add(slot);
    wake();
  }

  private void run() {
    thread = Thread.currentThread();
    try {
      if (queue == null) {
        Trampoline.run(slots);
      }
      while (!phase.slotsAreOut() && !ended) {
        step();
      }
    } finally {
      phase.leave();
    }
  }

  /** Does the work that is due, or waits for some. */
  private void step() {
    Slot slot = resumed.poll();
    if (slot != null) {
      phase.proceed(slot);
      return;
    }
    if (queue == null) {
      stepClosed();
      return;
    }
    long now = phase.nowNs();
    long rest = queue.restNs(now);
    if (rest == 0) {
      slot = queue.deal(now);
      if (slot != null) { // none if a slot that became free was quicker
        Trampoline.run(slot);
      }
    } else if (rest <= NEAR_NS) {
      time.waitNs(rest);
    } else {
      park(rest - NEAR_NS); // until an arrival is near, a slot is idle, or all are out
    }
  }

  /** Follows the ramp, if there is one, or waits for it. */
  private void stepClosed() {
    long rest = phase.restOfRampNs();
    if (rest == 0) {
      phase.climb();
    } else {
      park(rest);
    }
  }

  private void park(long ns) {
    time.parkNs(ns);
    Thread.interrupted(); // it means nothing here, and left standing no park would block
  }
}
