package rpcbench.load;

/**
 * Deals the arrivals of an open load to slots, each arrival once, in order. Its idle slots wait in the order in which
 * they became free, so that an arrival always meets the slot that has been free longest: the lag is then wake exactly
 * when some slot was free.
 */
final class ArrivalQueue {
  /** Arrivals that are reported together differ in lateness by at most one part in this many, a histogram's precision. */
  private static final long ABOUT = 1000;

  /** A number of slots that is not known here. */
  static final int UNKNOWN = -1;

  private final Arrivals arrivals;
  private final Mix mix; // null without one
  private final Phase phase;
  private final Slot[] idle; // a ring of as many places as there are slots
  private int head;
  private int waiting;
  private long dueNs; // of the next arrival
  private int which; // of a mix, the next arrival
  private boolean more = true; // there is a next arrival
  private long endNs = Time.FOREVER_NS; // nothing is due from here on
  private boolean starved; // the pacer is to be woken when a slot is idle, or nothing more is due

  /** Makes a queue in which all slots are idle. */
  ArrivalQueue(Schedule schedule, Mix mix, Slot[] slots, Phase phase) {
    this.mix = mix;
    this.arrivals = new Arrivals(schedule);
    this.phase = phase;
    this.idle = slots.clone();
    this.waiting = slots.length;
    advance();
  }

  /** Gives a slot that has been free since its freeNs the next arrival if that is due; otherwise the slot becomes idle. */
  synchronized NextStep take(Slot slot) {
    if (!more) {
      return NextStep.OVER;
    }
    if (dueNs <= slot.freeNs) {
      slot.hold(dueNs, which);
      if (waiting > 0) { // the pacer is late: an idle slot might have had it
        slot.freeNs = idle[head].freeNs;
      }
      advance();
      return NextStep.CALL;
    }
    int place = head + waiting;
    idle[place < idle.length ? place : place - idle.length] = slot;
    waiting++;
    feed();
    return NextStep.IDLE;
  }

  /**
   * Returns the time until there is something to deal, 0 if there is something now. It is forever if nothing more is due, or if
   * no slot is idle: the pacer is then woken when one is.
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

  /** Returns how many slots wait for an arrival; it is unknown which calls are in flight if no more arrive. */
  synchronized int idleSlots() {
    return more ? waiting : UNKNOWN;
  }

  /** Gives the arrival that is due to the slot that has been idle longest; null if there is nothing to deal. */
  synchronized Slot deal(long now) {
    if (!more || dueNs > now || waiting == 0) {
      return null;
    }
    Slot slot = pop();
    slot.hold(dueNs, which);
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

  /** Receives arrivals that were due at about the same time: how many of each call of a mix. */
  @FunctionalInterface
  interface Dropped {
    void accept(long lastNs, long[] arrivals);
  }

  /**
   * Takes all remaining arrivals. Reports those that were due before now in groups of about the same time: when the last one was
   * due, and how many there are. It never waits for a slot: what is left is taken at once.
   */
  void drop(long now, Dropped each) {
    long due;
    long end;
    int call;
    boolean some;
    synchronized (this) {
      due = dueNs;
      call = which;
      end = endNs;
      some = more;
      more = false;
      settle();
    }
    while (some) {
      long last = due;
      long[] counts = new long[mix == null ? 1 : mix.size()];
      for (long latest = due + (now - due) / ABOUT; some && due <= latest; ) {
        last = due;
        counts[call]++;
        due = arrivals.next();
        some = due != Arrivals.NONE && due < end;
        call = some ? drawn() : 0;
      }
      each.accept(last, counts);
    }
  }

  private void advance() {
    dueNs = arrivals.next();
    more = dueNs != Arrivals.NONE;
    which = more ? drawn() : 0;
    settle();
  }

  /** Which call of a mix the arrival is that came last. */
  private int drawn() {
    return mix == null ? 0 : mix.draw().applyAsInt(arrivals.number());
  }

  /** Releases all idle slots once there are no more arrivals. */
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
