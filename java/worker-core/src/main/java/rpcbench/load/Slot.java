package rpcbench.load;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;

/**
 * Makes one call at a time. Its fields belong to the thread that changed the state last; the state hands them over.
 *
 * <p>A call costs, in addition to the Caller's work, two clock reads, two uncontended compare-and-sets, the trampoline's
 * thread-local and the Sink; in an open load also one more clock read and the queue's lock. It allocates nothing.
 */
final class Slot implements Caller.Done {
  /** States besides the time of sending of a call in flight: in no phase; in one, between two calls. */
  private static final long OUT = -1;

  private static final long FREE = -2;
  private static final long RECORDING = -3; // a call is over, and its sample is on its way to the sink
  private static final long HELD = -4; // the slot has an arrival of an open load, and has yet to send it
  private static final long LOST = -5; // given up by the phase, which has recorded the call as unfinished

  /** Flags of a time of sending: the call is being canceled, because its deadline is over or the drain is. */
  private static final long LATE = 1L << 62;

  private static final long CUT = 1L << 61;
  private static final long TIME = CUT - 1;

  private static final CallException DEADLINE =
      new CallException(Code.DEADLINE_EXCEEDED, "the deadline passed");

  /** States of handing: a thread that cancels the call holds the slot, or the call has ended and left the slot to that thread. */
  private static final int NOBODY = 0;

  private static final int CANCELLER = 1;
  private static final int LEFT = 2;

  final int index;
  private final Caller[] callers; // one, or those of a mix
  private Caller caller; // that makes the call in flight
  private final AtomicLong state = new AtomicLong(OUT);
  private final AtomicInteger handing = new AtomicInteger(NOBODY);
  private Phase phase;

  long dueNs; // of the call in flight, in an open load
  int which; // of callers, that the call in flight has
  long freeNs; // since when the slot was free for it, in an open load
  long arrivals; // of this phase
  long lastNs; // this phase's latest completion
  long late; // OK calls of this phase that were done after its window
  Slot next; // in a trampoline

  Slot(int index, Caller... callers) {
    this.index = index;
    this.callers = callers;
    this.caller = callers[0];
  }

  boolean isOut() {
    return state.get() == OUT;
  }

  boolean inFlight() {
    return state.get() >= 0;
  }

  /** Enters a phase; its calls come by call. */
  void enter(Phase phase) {
    this.phase = phase;
    freeNs = 0;
    arrivals = 0;
    lastNs = 0;
    late = 0;
    state.set(FREE);
  }

  /** Leaves the phase; false when it was given up. */
  boolean exit() {
    return state.compareAndSet(FREE, OUT);
  }

  /** Makes the call that the slot is to make; only the trampoline calls it. */
  void makeCall() {
    phase.makeCall(this);
  }

  /** Takes an arrival; the queue calls it. */
  void hold(long due, int which) {
    dueNs = due;
    choose(which);
    state.lazySet(HELD);
  }

  /** Has the next call made by one of the callers of a mix. */
  void choose(int which) {
    this.which = which;
    caller = callers[which];
  }

  /** Sends the call whose dueNs and freeNs are set, now. */
  void call(long now) {
    long was = state.get();
    if (was == LOST || !state.compareAndSet(was, now)) {
      return; // given up
    }
    try {
      caller.start(this);
    } catch (Throwable e) { // against the contract; it would leave the slot waiting
      done(thrown("start", e));
    }
  }

  /**
   * Is called by the Caller when it makes the call only now. A call that is being canceled keeps its time of sending: it only
   * waited for its thread.
   */
  @Override
  public void sent() {
    long now = phase.nowNs();
    long was = state.get();
    while (was >= 0 && !isCancelled(was) && !state.compareAndSet(was, now)) {
      was = state.get();
    }
  }

  /** Is called by the Caller when the call in flight is over. */
  @Override
  public void done(CallException failure) {
    if (!inFlight()) {
      return; // given up
    }
    long now = phase.nowNs();
    boolean late = failure == null && phase.isLate(now);
    CallException wrong = after(late);
    long sent = takeForRecording();
    if (sent < 0) {
      return; // given up meanwhile
    }
    try {
      conclude(sent, now, failure, wrong, late);
    } finally {
      state.lazySet(FREE);
    }
    if (isCancelled(sent) && handing.compareAndSet(CANCELLER, LEFT)) {
      return; // the slot's next call must not begin while this one's cancellation may still affect it
    }
    phase.proceed(this);
  }

  private CallException after(boolean isLate) {
    try {
      if (isLate) {
        caller.late();
      }
      return caller.after();
    } catch (RuntimeException e) {
      return thrown("after", e);
    }
  }

  private static CallException thrown(String by, Throwable e) {
    return new CallException(Code.INTERNAL, "the stack's " + by + " threw " + e, e);
  }

  /** Takes the call out of flight, and returns its time of sending with flags; negative when it was given up. */
  private long takeForRecording() {
    long was = state.get();
    while (was >= 0 && !state.compareAndSet(was, RECORDING)) {
      was = state.get();
    }
    return was;
  }

  /** Records the call. A failure of a call that was canceled is due to the reason for that. */
  private void conclude(long sent, long now, CallException failure, CallException wrong, boolean isLate) {
    CallException why = failure;
    Fate fate = Fate.ANSWERED;
    if (failure != null && (sent & CUT) != 0) {
      fate = Fate.UNFINISHED;
    } else if (failure != null && (sent & LATE) != 0) {
      why = DEADLINE;
    }
    if (isLate && wrong == null) {
      late++;
    }
    record(fate, sent & TIME, now, why != null ? why : wrong);
  }

  private void record(Fate fate, long sent, long now, CallException failure) {
    arrivals++;
    lastNs = now;
    phase.record(this, fate, sent, now, failure);
  }

  /** Cancels the call in flight if it was sent by the time given. Returns when it was sent; never is forever. */
  long cancelIfLate(long latestNs) {
    long sent = state.get();
    if (sent < 0) {
      return Time.FOREVER_NS;
    }
    if ((sent & TIME) <= latestNs) {
      cancel(sent, LATE);
    }
    return sent & TIME;
  }

  /** Cancels the call in flight because the drain is over. */
  void cutOff() {
    long sent = state.get();
    while (sent >= 0 && !cancel(sent, CUT)) {
      sent = state.get();
    }
  }

  /**
   * Cancels the call that was sent then; false when it is over, or was sent later. Only the watchdog calls it. The first
   * reason counts. A call is canceled again each time: the first may have been before the Caller had it.
   */
  private boolean cancel(long sent, long why) {
    handing.set(CANCELLER);
    boolean inFlight = state.compareAndSet(sent, isCancelled(sent) ? sent : sent | why);
    if (inFlight) {
      cancelCaller();
    }
    boolean left = !handing.compareAndSet(CANCELLER, NOBODY);
    if (left) {
      handing.set(NOBODY);
      phase.pacer().resume(this);
    }
    return inFlight;
  }

  private static boolean isCancelled(long sent) {
    return (sent & (LATE | CUT)) != 0;
  }

  private void cancelCaller() {
    try {
      caller.cancel();
    } catch (RuntimeException e) {
      // Against the contract. The call continues, and is recorded as answered late, or unfinished.
    }
  }

  /** Ends the phase for a slot that is still in it. Anything that its Caller reports later is ignored. */
  void giveUp(long now) {
    long was = state.get();
    while (was != OUT && was != LOST) {
      if (was != RECORDING && state.compareAndSet(was, LOST)) {
        if (was >= 0) {
          record(Fate.UNFINISHED, was & TIME, now, null);
        } else if (was == HELD) {
          record(Fate.UNSENT, 0, now, null);
        }
        return;
      }
      Spin.hint(); // recording takes no time
      was = state.get();
    }
  }
}
