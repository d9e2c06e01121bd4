package rpcbench.load;

/**
 * Changes how many slots of a closed load make calls: those whose index is below its level. Neighboring slots are on different
 * connections, so every connection has its share of every level. A slot at or above the level ends its current call and is then
 * idle until the level has risen past it. The pacer moves the level.
 */
final class Ramp {
  private final Schedule schedule;
  private final Levels levels;
  private final Slot[] slots;
  private final Phase phase;
  private boolean more; // levels is at a change that is yet to be made

  private volatile long level; // written under the lock, as all fields below
  private final boolean[] idle; // by the slot's index
  private boolean over;

  Ramp(Schedule schedule, Slot[] slots, Phase phase) {
    this.schedule = schedule;
    this.levels = new Levels(schedule.stages());
    this.slots = slots;
    this.phase = phase;
    this.idle = new boolean[slots.length];
    this.level = schedule.share(levels.level());
    this.more = levels.next();
  }

  /** Reports whether a free slot may make a call. Otherwise it is idle, until it is handed one or let go. */
  NextStep take(Slot slot) {
    return slot.index < level ? NextStep.CALL : rest(slot);
  }

  private synchronized NextStep rest(Slot slot) {
    if (over) {
      return NextStep.OVER;
    }
    if (slot.index < level) {
      return NextStep.CALL;
    }
    idle[slot.index] = true;
    return NextStep.IDLE;
  }

  /** How long it is to the next change; forever after the last. */
  long restNs(long now) {
    return more ? Math.max(0, levels.atNs() - now) : Time.FOREVER_NS;
  }

  /** Makes the next change: slots below the level that were idle make calls, on this thread. */
  void climb() {
    move(schedule.share(levels.level()));
    more = levels.next();
  }

  private void move(long to) {
    int was = (int) Math.min(level, slots.length);
    synchronized (this) {
      level = to;
    }
    for (int i = was; i < Math.min(to, slots.length); i++) {
      if (wakes(i)) {
        Trampoline.run(slots[i]);
      }
    }
  }

  private synchronized boolean wakes(int slot) {
    boolean was = idle[slot];
    idle[slot] = false;
    return was;
  }

  synchronized boolean isOver() {
    return over;
  }

  /** Releases all idle slots, when no more calls begin. */
  synchronized void end() {
    over = true;
    for (int i = 0; i < idle.length; i++) {
      if (idle[i]) {
        idle[i] = false;
        phase.retire(slots[i]);
      }
    }
  }
}
