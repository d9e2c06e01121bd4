package rpcbench.load;

import java.util.List;
import java.util.function.LongSupplier;
import rpcbench.stack.Caller;

/** Holds the slots of one worker. Phases run in it one after another; what a Caller holds stays alive between them. */
public final class SlotPool {
  final Time time;
  final Slot[] slots;
  final long deadlineNs;
  final Mix mix; // null without one
  volatile ArrivalQueue queue; // of the phase that runs; null without one, or where its load is closed

  /**
   * Makes a pool with a slot for every Caller.
   *
   * @param clock monotonic, in ns from any origin
   * @param waiter of the pacer, for open loads
   * @param deadlineNs of every call, at least 1 ms; a call is canceled at most a twentieth (or 1 ms) later
   */
  public SlotPool(List<Caller> callers, LongSupplier clock, Waiter waiter, long deadlineNs) {
    this(callers, new SystemTime(clock, waiter), deadlineNs);
  }

  /** Makes a pool like the other constructor, with a slot for the Callers of each slot of a mix. */
  public SlotPool(Mix mix, LongSupplier clock, Waiter waiter, long deadlineNs) {
    this(mix, new SystemTime(clock, waiter), deadlineNs);
  }

  SlotPool(Mix mix, Time time, long deadlineNs) {
    this.time = time;
    this.deadlineNs = deadlineNs;
    this.mix = mix;
    this.slots = new Slot[mix.slots().size()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Slot(i, mix.slots().get(i).toArray(new Caller[0]));
    }
  }

  SlotPool(List<Caller> callers, Time time, long deadlineNs) {
    this.time = time;
    this.deadlineNs = deadlineNs;
    this.mix = null;
    this.slots = new Slot[callers.size()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Slot(i, callers.get(i));
    }
  }

  /** Returns the number of slots. */
  public int size() {
    return slots.length;
  }

  /** Returns the number of calls in flight. It may be called at any time. */
  public int inFlight() {
    ArrivalQueue open = queue;
    int idle = open == null ? ArrivalQueue.UNKNOWN : open.idleSlots();
    if (idle != ArrivalQueue.UNKNOWN) {
      return slots.length - idle;
    }
    int n = 0;
    for (Slot slot : slots) {
      if (slot.inFlight()) {
        n++;
      }
    }
    return n;
  }

  /**
   * Prepares a phase: the schedule's calls, recorded to sink, late ones sent and answered until drainNs after the last
   * was due. One phase at a time.
   *
   * @throws IllegalStateException when a slot never came back from an earlier phase; the message is one sentence
   */
  public Phase begin(Schedule schedule, long drainNs, Sink sink) {
    for (Slot slot : slots) {
      if (!slot.isOut()) {
        throw new IllegalStateException(
            "slot " + slot.index + " has not returned from a call of the previous phase");
      }
    }
    queue = null;
    return new Phase(this, schedule, drainNs, sink);
  }
}
