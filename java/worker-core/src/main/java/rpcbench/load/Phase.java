package rpcbench.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import rpcbench.stack.CallException;

/** One run of a schedule. */
public final class Phase {
  /**
   * The time that a canceled call has to return before its slot is given up, which makes every later phase of the trial fail. The
   * first call of a JVM loads its classes before it can notice the cancellation, which takes seconds on a busy machine.
   */
  private static final long GRACE_NS = 5_000_000_000L;

  /** How long the watchdog may take to end: its cancel of a call may hang. */
  private static final long WATCHDOG_GRACE_NS = 1_000_000_000;

  private final SlotPool pool;
  private final Time time;
  private final Schedule schedule;
  private final AtomicLong drainNs; // lowered by stop
  private final Sink[] sinks; // one, or those of the calls of a mix

  private final AtomicLong endNs = new AtomicLong(Time.FOREVER_NS); // no call falls due from here on
  private final AtomicLong left; // calls not yet begun, in a closed load that ends after a number of them
  private final AtomicInteger running = new AtomicInteger(); // slots that are not out, and the pacer
  private Span span; // of the schedule, once it is foreseen
  private long originNs; // of the phase, by the pool's clock
  private ArrivalQueue queue; // of an open load
  private Ramp ramp; // of a closed load with stages
  private Pacer pacer;
  private long unsent; // written only by run, as stoppedNs and interrupted
  private long stoppedNs; // when a stop ended the schedule; 0 if none did
  private boolean interrupted;

  private volatile Thread runner; // in run
  private final AtomicInteger stops = new AtomicInteger(); // that there were
  private volatile boolean aborted;

  Phase(SlotPool pool, Schedule schedule, long drainNs, Sink sink) {
    this.pool = pool;
    this.time = pool.time;
    this.schedule = schedule;
    this.drainNs = new AtomicLong(Math.min(drainNs, Time.FOREVER_NS));
    this.sinks = new Sink[pool.mix == null ? 1 : pool.mix.size()];
    for (int i = 0; i < sinks.length; i++) {
      sinks[i] = sink.of(i);
    }
    this.left = new AtomicLong(schedule.share(schedule.calls()));
  }

  /**
   * Puts off run, which the same thread calls next; less long when the phase is stopped, aborted or interrupted. Random arrivals
   * with a number of calls are read meanwhile, and it takes longer if that does.
   */
  public void await(long delayNs) {
    runner = Thread.currentThread();
    long until = time.nowNs() + delayNs;
    foresee();
    for (long rest = until - time.nowNs(); rest > 0 && stops.get() == 0 && !aborted && !interrupted; rest = until - time.nowNs()) {
      park(rest);
    }
  }

  /**
   * Makes the schedule's calls and returns when every arrival that was due is recorded. That is at the latest its drain and five
   * seconds after the last was due, and one more second if even canceling a call hangs. It may be called once. If the thread is
   * interrupted, calls are cut off as by abort, and its interrupt status is set again afterwards.
   */
  public Tally run() {
    runner = Thread.currentThread();
    foresee();
    originNs = time.nowNs();
    begin();
    Watchdog watchdog = new Watchdog(this, time, pool);
    watchdog.begin();
    if (!awaitOver()) {
      cutOff(watchdog);
    }
    pacer.end();
    watchdog.end(WATCHDOG_GRACE_NS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return tally();
  }

  /**
   * Ends the schedule now: nothing more falls due, and due calls are still sent and drained. It may be called at any time, even
   * before run, by any thread, and more than once.
   */
  public void stop() {
    stop(Time.FOREVER_NS);
  }

  /**
   * Like stop, with another drain if that ends earlier. It also shortens the drain of a phase that was stopped before, or whose
   * schedule has ended.
   */
  public void stop(long drainNs) {
    this.drainNs.accumulateAndGet(drainNs, Math::min);
    stops.incrementAndGet();
    wakeRunner();
  }

  /** Ends the phase now: nothing more is sent, and calls in flight are cut off. It may be called like stop. */
  public void abort() {
    aborted = true;
    wakeRunner();
  }

  void wakeRunner() {
    Thread thread = runner;
    if (thread != null) {
      time.unpark(thread);
    }
  }

  /** The time since the phase began. */
  long nowNs() {
    return time.nowNs() - originNs;
  }

  /** Computes when the phase ends, once. A stop, an abort or an interrupt need not wait for it. */
  private void foresee() {
    if (span == null) {
      span = Span.of(schedule, () -> stops.get() > 0 || aborted || Thread.currentThread().isInterrupted());
      endNs.set(span.windowNs());
    }
  }

  /** Starts the slots and the pacer. */
  private void begin() {
    running.set(pool.slots.length + 1);
    pacer = new Pacer(this, time, pool.slots);
    for (Slot slot : pool.slots) {
      slot.enter(this);
    }
    if (schedule.open()) {
      queue = new ArrivalQueue(schedule, pool.mix, pool.slots, this);
      pool.queue = queue;
    } else if (!schedule.stages().isEmpty()) {
      ramp = new Ramp(schedule, pool.slots, this);
    }
    if (stops.get() > 0 || aborted) {
      endAt(0);
    }
    pacer.begin(queue);
  }

  /** Is called when a slot has no more work to do, or by the pacer, which stays until all slots are out. */
  void leave() {
    if (running.decrementAndGet() <= 1) {
      pacer.wake();
      wakeRunner();
    }
  }

  /** Whether all slots are out. */
  boolean slotsAreOut() {
    return running.get() <= 1;
  }

  /** Is called when a slot has no more calls to make. */
  void retire(Slot slot) {
    if (slot.exit()) {
      leave();
    }
  }

  Pacer pacer() {
    return pacer;
  }

  /** A slot is free: it makes the next call that is due, or waits for it in the queue, or is out. */
  void proceed(Slot slot) {
    if (queue != null) {
      slot.freeNs = nowNs();
      switch (queue.take(slot)) {
        case CALL -> Trampoline.run(slot);
        case IDLE -> {}
        case OVER -> retire(slot);
      }
    } else {
      Trampoline.run(slot);
    }
  }

  /** Makes the call that a slot is to make; called by the trampoline. */
  void makeCall(Slot slot) {
    long now = nowNs();
    switch (queue == null ? begins(slot, now) : NextStep.CALL) {
      case CALL -> {
        if (queue == null && pool.mix != null) {
          slot.choose(pool.mix.ofSlot(schedule, slot));
        }
        slot.call(now);
      }
      case IDLE -> {}
      case OVER -> retire(slot);
    }
  }

  /** Reports whether a slot of a closed load may begin a call now, and counts it. */
  private NextStep begins(Slot slot, long now) {
    if (now >= endNs.get()) {
      return NextStep.OVER;
    }
    if (ramp != null) {
      return ramp.take(slot);
    }
    return schedule.calls() == 0 || left.decrementAndGet() >= 0 ? NextStep.CALL : NextStep.OVER;
  }

  /** How long there is nothing to do for the pacer of a closed load; 0 when there is something now. */
  long restOfRampNs() {
    long now = nowNs();
    long end = endNs.get();
    return ramp == null || now >= end && ramp.isOver() ? Time.FOREVER_NS : Math.max(0, Math.min(ramp.restNs(now), end - now));
  }

  /** Makes the next change of the ramp, or ends it. */
  void climb() {
    if (nowNs() >= endNs.get()) {
      ramp.end();
    } else {
      ramp.climb();
    }
  }

  /** Waits until every slot is out. Returns false if the drain's end, an abort or an interrupt must cut them off. */
  private boolean awaitOver() {
    long until = drained(span.endNs());
    int seen = 0;
    while (running.get() > 0) {
      long now = nowNs();
      if (stops.get() > seen) {
        seen = stops.get();
        if (goesOn(now)) {
          stoppedNs = now;
          endAt(now);
        }
        until = Math.min(until, drained(now));
      }
      if (aborted || interrupted || now >= until) {
        return false;
      }
      park(until - now);
    }
    return true;
  }

  /** Blocks the thread of run, and takes note of an interruption, which would keep it from blocking again. */
  void park(long ns) {
    time.parkNs(ns);
    interrupted |= Thread.interrupted();
  }

  /** When a schedule that ends then has drained. */
  private long drained(long end) {
    return Math.min(end, Time.FOREVER_NS) + drainNs.get();
  }

  /** Reports whether the schedule has calls to come. */
  private boolean goesOn(long now) {
    if (now >= endNs.get()) {
      return false;
    }
    return queue != null ? queue.goesOn() : schedule.calls() == 0 || left.get() > 0;
  }

  private void endAt(long now) {
    endNs.accumulateAndGet(now, Math::min);
    if (queue != null) {
      queue.endAt(now);
    }
    if (ramp != null) {
      ramp.end();
    }
  }

  /** Records unsent arrivals as UNSENT, cancels calls in flight, and gives up the slots that don't return. */
  private void cutOff(Watchdog watchdog) {
    long now = nowNs();
    endAt(now);
    if (queue != null) {
      queue.drop(now, (last, arrivals) -> {
        for (int which = 0; which < arrivals.length; which++) {
          if (arrivals[which] > 0) {
            unsent += arrivals[which];
            sinks[which].unsent(last, now, arrivals[which]);
          }
        }
      });
    }
    watchdog.cut();
    long until = now + GRACE_NS;
    while (running.get() > 0) {
      long rest = until - nowNs();
      if (rest <= 0) {
        giveUp();
        return;
      }
      park(rest);
    }
  }

  /** Records the calls that did not return although they were canceled. Their slots are lost. */
  private void giveUp() {
    for (Slot slot : pool.slots) {
      slot.giveUp(nowNs());
    }
  }

  private Tally tally() {
    long arrivals = unsent;
    long elapsed = 0;
    long late = 0;
    for (Slot slot : pool.slots) {
      arrivals += slot.arrivals;
      elapsed = Math.max(elapsed, slot.lastNs);
      late += slot.late;
    }
    long window = endNs.get() < Time.FOREVER_NS ? endNs.get() : busyNs();
    return new Tally(arrivals, elapsed, window, late, stoppedNs);
  }

  /** Returns how long all calls would have taken if every slot had continued at its pace until its last completion. */
  private long busyNs() {
    double calls = 0;
    double perNs = 0;
    for (Slot slot : pool.slots) {
      if (slot.lastNs > 0) {
        calls += slot.arrivals;
        perNs += (double) slot.arrivals / slot.lastNs;
      }
    }
    return perNs > 0 ? Math.round(calls / perNs) : 0;
  }

  /** Whether a call that is done then is done after the window. */
  boolean isLate(long doneNs) {
    return doneNs > endNs.get();
  }

  /** Hands a sample to the sink. */
  void record(Slot slot, Fate fate, long sentNs, long doneNs, CallException failure) {
    long due = queue == null ? sentNs : slot.dueNs; // a closed load's call is due when it is sent
    long free = queue == null ? sentNs : slot.freeNs;
    Sink sink = sinks[slot.which];
    if (fate == Fate.ANSWERED) {
      sink.record(
          slot.index, fate, due, sentNs, doneNs, Math.max(0, free - due), sentNs - Math.max(due, free), failure);
    } else {
      sink.record(slot.index, fate, due, sentNs, doneNs, 0, 0, null);
    }
  }
}
