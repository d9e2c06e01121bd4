package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;

/** A pool in virtual time, and servers for it. */
final class Scene {
  static final long MS = 1_000_000;
  static final long SECOND = 1000 * MS;

  final VirtualTime time = new VirtualTime();
  final Network network = new Network(time);
  private final long begun = time.nowNs();

  /** The time since the scene began. */
  long nowNs() {
    return time.nowNs() - begun;
  }

  /** A Caller of a server that answers a call sent at t after service.applyAsLong(t), or when it is canceled. */
  final class Served implements Caller {
    private final LongUnaryOperator service;
    private final boolean endsInCancel;
    private Done pending;
    private int calls;
    int late; // calls reported as late
    private boolean toldLate;

    Served(LongUnaryOperator service, boolean endsInCancel) {
      this.service = service;
      this.endsInCancel = endsInCancel;
    }

    @Override
    public void start(Done done) {
      pending = done;
      int call = ++calls;
      network.after(service.applyAsLong(nowNs()), () -> end(call, null));
    }

    @Override
    public void cancel() {
      int call = calls;
      CallException failure = new CallException(Code.CANCELLED, "cancelled");
      if (endsInCancel) {
        end(call, failure);
      } else {
        network.after(0, () -> end(call, failure));
      }
    }

    private void end(int call, CallException failure) {
      if (call == calls && pending != null) {
        Done done = pending;
        pending = null;
        done.done(failure);
      }
    }

    @Override
    public void late() {
      toldLate = true;
    }

    @Override
    public CallException after() {
      late += toldLate ? 1 : 0;
      toldLate = false;
      return null;
    }
  }

  Caller takes(long ns) {
    return new Served(at -> ns, false);
  }

  /** A server that answers after service, except that nothing is answered in [from, to). */
  Caller frozen(long service, long from, long to) {
    return new Served(
        at -> {
          long done = at + service;
          return done >= from && done < to ? to - at : service;
        },
        false);
  }

  interface Make {
    Caller caller();
  }

  SlotPool pool(int slots, Make make) {
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < slots; i++) {
      callers.add(make.caller());
    }
    return pool(callers, 10 * SECOND);
  }

  SlotPool pool(List<Caller> callers, long deadlineNs) {
    return new SlotPool(callers, time, deadlineNs);
  }

  /** The results of a phase. */
  record Course(Ledger ledger, Tally tally) {}

  /** Runs one phase and checks the invariant: every arrival has exactly one sample. */
  static Course run(SlotPool pool, Schedule schedule, long drainNs) {
    Ledger ledger = new Ledger();
    return run(pool.begin(schedule, drainNs, ledger), ledger);
  }

  static Course run(Phase phase, Ledger ledger) {
    Tally tally = phase.run();
    assertEquals(tally.arrivals(), ledger.samples.size(), "arrivals, samples");
    return new Course(ledger, tally);
  }
}
