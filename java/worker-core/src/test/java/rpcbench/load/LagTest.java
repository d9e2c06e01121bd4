package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static rpcbench.load.Scene.MS;
import static rpcbench.load.Scene.SECOND;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;

class LagTest {
  /** A time whose pacer oversleeps every wait. */
  private static final class Late extends OtherTime {
    private final VirtualTime time;
    private final long byNs;

    Late(VirtualTime time, long byNs) {
      super(time);
      this.time = time;
      this.byNs = byNs;
    }

    @Override
    public void waitNs(long ns) {
      time.sleepNs(ns + byNs);
    }
  }

  @Test
  void lateCallsAreQueueWhenNoSlotWasFree() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(1, () -> scene.takes(10 * MS));
    Schedule schedule = Schedules.during(SECOND, Schedules.constant(200));
    List<Ledger.Sample> samples = Scene.run(pool, schedule, 10 * SECOND).ledger().samples;
    assertEquals(200, samples.size());
    for (int i = 0; i < 200; i++) {
      // Call i is due at 5i ms and sent when the i calls before it are done, at 10i ms.
      assertEquals(i * 5 * MS, samples.get(i).queue(), "queue of call " + i);
      assertEquals(0, samples.get(i).wake(), "wake of call " + i);
    }
  }

  @Test
  void lateCallsAreWakeWhenASlotWasFree() {
    Scene scene = new Scene();
    List<Caller> callers = List.of(scene.takes(0), scene.takes(0), scene.takes(0));
    SlotPool pool = new SlotPool(callers, new Late(scene.time, 300_000), SECOND);
    Schedule schedule = Schedules.during(SECOND, Schedules.constant(500));
    List<Ledger.Sample> samples = Scene.run(pool, schedule, SECOND).ledger().samples;
    assertEquals(500, samples.size());
    for (Ledger.Sample sample : samples.subList(1, 500)) { // the first is due at once
      assertEquals(300_000, sample.wake(), "wake of " + sample);
      assertEquals(0, sample.queue(), "queue of " + sample);
    }
  }

  /** A slot that becomes free takes an overdue arrival that an idle slot might have had: the pacer was late. */
  @Test
  void whatABusySlotTakesFromALatePacerIsWake() {
    Scene scene = new Scene();
    Caller busy = scene.takes(2 * MS + 100_000);
    Caller other = scene.takes(MS);
    SlotPool pool = new SlotPool(List.of(busy, other, scene.takes(MS)), new Late(scene.time, 300_000), SECOND);
    Schedule schedule = Schedules.counting(2, Schedules.constant(500));
    List<Ledger.Sample> samples = Scene.run(pool, schedule, SECOND).ledger().samples;
    // Slot 0 is busy until 2.1 ms. Arrival 1 is due at 2 ms, with slots 1 and 2 idle, and the pacer wakes at 2.3 ms.
    Ledger.Sample second = samples.get(1);
    assertEquals(0, second.slot());
    assertEquals(0, second.queue());
    assertEquals(100_000, second.wake());
  }

  @Test
  void slotsTakeTurnsInTheOrderInWhichTheyBecameFree() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(3, () -> scene.takes(MS));
    Schedule schedule = Schedules.counting(7, Schedules.constant(100));
    List<Ledger.Sample> samples = Scene.run(pool, schedule, SECOND).ledger().samples;
    assertEquals(List.of(0, 1, 2, 0, 1, 2, 0), samples.stream().map(Ledger.Sample::slot).toList());
  }

  /** Hands its calls to another thread, which begins with each after 50 µs, and takes a millisecond. */
  private record HandingOver(Scene scene) implements Caller {
    @Override
    public void start(Done done) {
      scene.network.after(
          50_000,
          () -> {
            done.sent();
            scene.network.after(MS, () -> done.done(null));
          });
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

  @Test
  void aHandOverToAnotherThreadIsWakeAndNotService() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(1, () -> new HandingOver(scene));
    Schedule schedule = Schedules.counting(5, Schedules.constant(500));
    List<Ledger.Sample> samples = Scene.run(pool, schedule, SECOND).ledger().samples;
    for (int i = 0; i < 5; i++) {
      long due = i * 2 * MS;
      long sent = due + 50_000;
      assertEquals(new Ledger.Sample(0, Fate.ANSWERED, due, sent, sent + MS, 0, 50_000, null), samples.get(i));
    }
  }

  @Test
  void aClosedLoadsCallIsDueWhenItIsSent() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(1, () -> new HandingOver(scene));
    Schedule schedule = Schedules.counting(2, Schedule.closed());
    List<Ledger.Sample> samples = Scene.run(pool, schedule, SECOND).ledger().samples;
    long second = 50_000 + MS + 50_000;
    assertEquals(new Ledger.Sample(0, Fate.ANSWERED, 50_000, 50_000, 50_000 + MS, 0, 0, null), samples.get(0));
    assertEquals(new Ledger.Sample(0, Fate.ANSWERED, second, second, second + MS, 0, 0, null), samples.get(1));
  }

  /** Its calls are over at once. */
  private static final class Instant implements Caller {
    @Override
    public void start(Done done) {
      done.done(null);
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

  /** The public constructor ties a pool to the clock and the waiter that it is given. */
  @Test
  void aRoomReadsTheClockAndWaitsByTheWaiterThatItIsGiven() {
    AtomicLong now = new AtomicLong(5_000);
    SlotPool pool = new SlotPool(List.of(new Instant()), now::get, now::addAndGet, SECOND);
    Scene.Course course = Scene.run(pool, Schedules.counting(11, Schedules.constant(1000)), SECOND);
    assertEquals(new Tally(11, 10 * MS, 11 * MS, 0, 0), course.tally());
  }
}
