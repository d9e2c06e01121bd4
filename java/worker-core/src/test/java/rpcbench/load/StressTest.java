package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;

/**
 * Real threads: whatever the order of events, each arrival has one sample and no slot is lost. Time advances with each reading,
 * so that deadlines and drains end because of calls, not because the machine was busy.
 */
class StressTest {
  private static final long MS = 1_000_000;
  private static final long HOUR_NS = 3_600_000 * MS;
  private static final long LOOK_NS = 20_000;

  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
  private final AtomicInteger broken = new AtomicInteger();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static SlotPool pool(List<Caller> callers, long lookNs, long deadlineNs) {
    AtomicLong now = new AtomicLong();
    LongSupplier clock = () -> now.addAndGet(lookNs);
    return new SlotPool(callers, clock, ns -> Thread.yield(), deadlineNs);
  }

  /** One call, unlike any other. */
  private static final class Pending {
    final Caller.Done done;

    Pending(Caller.Done done) {
      this.done = done;
    }
  }

  /** Ends a call at once, on another thread, later, or when it is canceled, at random. */
  private final class Moody implements Caller {
    private final SplittableRandom random;
    private final AtomicReference<Pending> pending = new AtomicReference<>();
    private final AtomicBoolean afterIsDue = new AtomicBoolean();

    Moody(int seed) {
      random = new SplittableRandom(seed);
    }

    @Override
    public void start(Done done) {
      Pending call = new Pending(done);
      if (afterIsDue.get() || !pending.compareAndSet(null, call)) {
        broken.incrementAndGet(); // two calls at a time
      }
      switch (random.nextInt(40)) {
        case 0 -> {} // only a cancel ends it
        case 1, 2, 3 -> threads.schedule(() -> end(call, null), random.nextInt(3000), TimeUnit.MICROSECONDS);
        case 4, 5, 6, 7 -> end(call, null);
        default -> threads.execute(() -> end(call, null));
      }
    }

    private void end(Pending call, CallException failure) {
      if (pending.compareAndSet(call, null)) {
        afterIsDue.set(true);
        call.done.done(failure);
      }
    }

    @Override
    public void cancel() {
      Pending call = pending.get();
      if (call != null) {
        end(call, new CallException(Code.CANCELLED, "cancelled"));
      }
    }

    @Override
    public void late() {}

    @Override
    public CallException after() {
      if (!afterIsDue.compareAndSet(true, false)) {
        broken.incrementAndGet(); // not once for each call
      }
      return null;
    }
  }

  private SlotPool moodyPool(int seed) {
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      callers.add(new Moody(seed + i));
    }
    return pool(callers, LOOK_NS, 2 * MS);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 20_000})
  void eachArrivalHasOneSample(double perSec) {
    SlotPool pool = moodyPool(0);
    for (int phase = 0; phase < 5; phase++) {
      Ledger ledger = Scene.run(pool, Schedules.counting(2000, Schedules.constant(perSec)), HOUR_NS).ledger();
      assertEquals(2000, ledger.count(Fate.ANSWERED));
      assertEquals(0, pool.inFlight());
    }
    assertEquals(0, broken.get());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 20_000})
  void whatIsCutOffHasOneSampleToo(double perSec) {
    SlotPool pool = moodyPool(50);
    for (int phase = 0; phase < 10; phase++) {
      Ledger ledger = Scene.run(pool, Schedules.during(20 * MS, Schedules.constant(perSec)), MS / 2).ledger();
      if (perSec > 0) {
        assertEquals(400, ledger.samples.size());
      }
      assertEquals(0, pool.inFlight());
    }
    assertEquals(0, broken.get());
  }

  /** Calls end as the next falls due, so that the pacer and the slot often reach for the same arrival. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void thePacerGoesOnWhereASlotWasQuicker(int slots) {
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < slots; i++) {
      callers.add(new OnAnotherThread());
    }
    SlotPool pool = pool(callers, LOOK_NS / 4, HOUR_NS);
    Ledger ledger = Scene.run(pool, Schedules.counting(30_000, Schedules.constant(50_000)), HOUR_NS).ledger();
    assertEquals(30_000, ledger.count(Fate.ANSWERED));
  }

  private final class OnAnotherThread implements Caller {
    @Override
    public void start(Done done) {
      threads.execute(() -> done.done(null));
    }

    @Override
    public void cancel() {}

    @Override
    public void late() {}

    @Override
    public CallException after() {
      return null;
    }
  }

  /** Slots whose threads end calls at the same time never wait for one another. */
  @Test
  void aBusyPhaseEndsWhenItIsStopped() {
    SlotPool pool = moodyPool(100);
    Ledger ledger = new Ledger();
    Phase[] phase = new Phase[1];
    AtomicInteger ended = new AtomicInteger();
    Sink stopping =
        (slot, fate, due, sent, done, queue, wake, failure) -> {
          ledger.record(slot, fate, due, sent, done, queue, wake, failure);
          if (ended.incrementAndGet() == 2000) {
            phase[0].stop();
          }
        };
    phase[0] = pool.begin(Schedule.closed(), HOUR_NS, stopping);
    Scene.run(phase[0], ledger);
    assertEquals(0, ledger.count(Fate.UNFINISHED));
  }
}
