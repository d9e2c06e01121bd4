package rpcbench.load;

/**
 * Deals the arrivals of an open load to slots, each arrival once, in order. Its idle slots wait in the order in which
 * they became free, so that an arrival always meets the slot that has been free longest: the lag is then wake exactly
 * when some slot was free.
 */
final class ArrivalQueue {
  /** The part of how late arrivals are by which those told of together differ, as histograms do. */
  private static final long ABOUT = 1000;

  private final Arrivals arrivals;
  private final Phase phase;
  private final Slot[] idle; // a ring of as many places as there are slots
  private int head;
  private int waiting;
  private long dueNs; // of the next arrival
  private boolean more = true; // there is a next arrival
  private long endNs = Time.FOREVER_NS; // nothing is due from here on
  private boolean starved; // the pacer is to be woken when a slot is idle, or nothing more is due

  /** Makes a queue in which all slots are idle. */
  ArrivalQueue(Schedule schedule, Slot[] slots, Phase phase) {
    this.arrivals = new Arrivals(schedule);
    this.phase = phase;
    this.idle = slots.clone();
    this.waiting = slots.length;
    advance();
  }

  /** Gives a slot that is free since its freeNs the next arrival if that is due, or has it wait as idle. */
  synchronized Turn take(Slot slot) {
    if (!more) {
      return Turn.OVER;
    }
    if (dueNs <= slot.freeNs) {
      slot.hold(dueNs);
      if (waiting > 0) { // the pacer is late: an idle slot might have had it
        slot.freeNs = idle[head].freeNs;
      }
      advance();
      return Turn.CALL;
    }
    int place = head + waiting;
    idle[place < idle.length ? place : place - idle.length] = slot;
    waiting++;
    feed();
    return Turn.IDLE;
  }

  /**
   * How long there is nothing to deal: 0 when there is something now. For ever, where nothing more is due, or where no
   * slot is idle: then the pacer is woken when one is.
   */
  synchronized long restNs(long now) {
    if (!more) {
      return Time.FOREVER_NS;
    }
    if (dueNs > now) {
      return dueNs - now;
    }
    starved = waiting == 0;
    return starved ? Time.FOREVER_NS : 0;
  }

  /** Gives what is due by now to the slot that has been idle longest; null where there is nothing to deal. */
  synchronized Slot deal(long now) {
    if (!more || dueNs > now || waiting == 0) {
      return null;
    }
    Slot slot = pop();
    slot.hold(dueNs);
    advance();
    return slot;
  }

  /** Ends the schedule: only arrivals due before end are made. */
  synchronized void endAt(long end) {
    endNs = Math.min(endNs, end);
    settle();
  }

  /** Whether there are arrivals to come. */
  synchronized boolean goesOn() {
    return more;
  }

  /** Hears of arrivals that were due at about the same time. */
  @FunctionalInterface
  interface Dropped {
    void accept(long lastNs, long arrivals);
  }

  /**
   * Takes all arrivals that are left, and tells of those that were due at about the same time before now: when the last of
   * them was, and how many there are. Nobody waits for it: what is left is its own at once.
   */
  void drop(long now, Dropped each) {
    long due;
    long end;
    boolean some;
    synchronized (this) {
      due = dueNs;
      end = endNs;
      some = more;
      more = false;
      settle();
    }
    while (some) {
      long last = due;
      long count = 0;
      for (long latest = due + (now - due) / ABOUT; some && due <= latest; count++) {
        last = due;
        due = arrivals.next();
        some = due != Arrivals.NONE && due < end;
      }
      each.accept(last, count);
    }
  }

  private void advance() {
    dueNs = arrivals.next();
    more = dueNs != Arrivals.NONE;
    settle();
  }

  /** Lets everybody go once there are no more arrivals. */
  private void settle() {
    more = more && dueNs < endNs;
    if (more) {
      return;
    }
    while (waiting > 0) {
      phase.retire(pop());
    }
    feed();
  }

  private void feed() {
    if (starved) {
      starved = false;
      phase.pacer().wake();
    }
  }

  private Slot pop() {
    Slot slot = idle[head];
    head = head + 1 == idle.length ? 0 : head + 1;
    waiting--;
    return slot;
  }
}
