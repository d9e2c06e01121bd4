package rpcbench.worker;

import java.util.List;
import rpcbench.load.Fate;
import rpcbench.load.Phase;
import rpcbench.load.Schedule;
import rpcbench.load.Sink;
import rpcbench.load.SlotPool;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.worker.v1.Worker.BackgroundDone;

/**
 * Makes a second call again and again on every connection, in a separate closed load whose samples are only counted. It begins
 * with the first phase and ends with the worker.
 */
final class Background implements Sink {
  private static final long DRAIN_NS = 1_000_000_000;

  private final SlotPool pool;
  private Phase phase; // null before the first phase
  private BackgroundDone.Builder count = BackgroundDone.newBuilder(); // since the phase began

  /** Takes one Caller for each connection. */
  Background(List<Caller> callers, long deadlineNs) {
    pool = new SlotPool(callers, System::nanoTime, ns -> {}, deadlineNs); // a closed load waits for nothing
  }

  /** Starts the calls in the first phase, and resets the counts in every phase. */
  synchronized void begin() {
    count = BackgroundDone.newBuilder();
    if (phase == null) {
      phase = pool.begin(Schedule.closed(), DRAIN_NS, this);
      Threads.start("rpcbench-background", phase::run);
    }
  }

  @Override
  public synchronized void record(
      int slot, Fate fate, long dueNs, long sentNs, long doneNs, long queueNs, long wakeNs, CallException failure) {
    if (fate != Fate.ANSWERED) {
      return; // the end cut it off
    }
    if (failure == null) {
      count.setOk(count.getOk() + 1);
      return;
    }
    count.setErrors(count.getErrors() + 1);
    if (count.getExample().isEmpty()) {
      count.setExample(failure.code() + ": " + failure.getMessage());
    }
  }

  /** Returns what ended since the phase began. */
  synchronized BackgroundDone counted() {
    return count.build();
  }

  synchronized void end() {
    if (phase != null) {
      phase.abort();
    }
  }
}
