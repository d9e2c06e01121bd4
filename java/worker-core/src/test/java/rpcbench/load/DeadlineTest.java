package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rpcbench.load.Scene.MS;
import static rpcbench.load.Scene.SECOND;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;

class DeadlineTest {
  /** The third call would take an hour. Cancelling it ends it later, or before cancel returns. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeadlineCancelsTheCallAndTheSlotGoesOn(boolean endsInCancel) {
    Scene scene = new Scene();
    int[] calls = {0};
    Caller caller = scene.new Served(at -> ++calls[0] == 3 ? 3600 * SECOND : 10 * MS, endsInCancel);
    SlotPool pool = scene.pool(List.of(caller), 500 * MS);
    List<Ledger.Sample> samples = Scene.run(pool, Schedules.counting(5, Schedule.closed()), SECOND).ledger().samples;
    assertEquals(5, samples.size());
    for (int i = 0; i < 5; i++) {
      if (i == 2) {
        assertEquals(Code.DEADLINE_EXCEEDED, samples.get(i).failure().code());
        assertEquals("the deadline passed", samples.get(i).failure().getMessage());
        assertEquals(Fate.ANSWERED, samples.get(i).fate());
        assertEquals(525 * MS, samples.get(i).service(), 25 * MS);
      } else {
        assertNull(samples.get(i).failure());
        assertEquals(10 * MS, samples.get(i).service());
      }
    }
  }

  /**
   * A call that waits for its thread until it is canceled is counted from when it was given to it, and has its deadline's code.
   */
  @Test
  void aCallThatIsCancelledBeforeItIsSentHasWaitedForItsDeadline() {
    Scene scene = new Scene();
    Caller late = new Caller() {
      private Done done;

      @Override
      public void start(Done done) {
        this.done = done;
      }

      @Override
      public void cancel() {
        done.sent();
        done.done(new CallException(Code.CANCELLED, "it was cancelled before it began"));
      }

      @Override
      public void late() {}

      @Override
      public CallException after() {
        return null;
      }
    };
    SlotPool pool = scene.pool(List.of(late), 500 * MS);
    List<Ledger.Sample> samples = Scene.run(pool, Schedules.counting(1, Schedule.closed()), SECOND).ledger().samples;
    assertEquals(Code.DEADLINE_EXCEEDED, samples.get(0).failure().code());
    assertEquals(525 * MS, samples.get(0).service(), 25 * MS);
  }

  /** To look at all slots takes as long as several calls where there are many. The watchdog parks after each look. */
  @Test
  void nobodyLooksForLateCallsWhereNoneCanBe() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(2, () -> scene.takes(9 * SECOND)); // of ten
    Scene.run(pool, Schedules.counting(2, Schedule.closed()), SECOND);
    assertTrue(scene.time.parks() <= 20, scene.time.parks() + " parks for two calls");
  }

  /** A call that is in flight when the oldest one ends at its deadline has its own. */
  @Test
  void everyCallHasItsOwnDeadline() {
    Scene scene = new Scene();
    List<Caller> callers = Stream.generate(() -> scene.takes(3600 * SECOND)).limit(3).toList();
    SlotPool pool = scene.pool(callers, SECOND);
    List<Ledger.Sample> samples =
        Scene.run(pool, Schedules.counting(3, Schedules.constant(10)), 2 * SECOND).ledger().samples;
    assertEquals(3, samples.size());
    for (Ledger.Sample sample : samples) { // sent at 0, 100 and 200 ms
      assertEquals(Code.DEADLINE_EXCEEDED, sample.failure().code());
      assertEquals(1025 * MS, sample.service(), 25 * MS);
    }
  }

  /** A good answer that comes though the call was canceled is a good answer. */
  @Test
  void anAnswerAfterTheDeadlineIsAnAnswer() {
    Scene scene = new Scene();
    Caller deaf = new Deaf(scene, 700 * MS, null);
    SlotPool pool = scene.pool(List.of(deaf), 500 * MS);
    List<Ledger.Sample> samples = Scene.run(pool, Schedules.counting(2, Schedule.closed()), SECOND).ledger().samples;
    assertEquals(List.of(700 * MS, 700 * MS), samples.stream().map(Ledger.Sample::service).toList());
    assertNull(samples.get(0).failure());
  }

  /** A call that the deadline has canceled keeps that reason, though it returns after the drain's end only. */
  @Test
  void theFirstReasonOfACancellationCounts() {
    Scene scene = new Scene();
    Caller slow = new Deaf(scene, 600 * MS, new CallException(Code.CANCELLED, "cancelled"));
    SlotPool pool = scene.pool(List.of(slow), 100 * MS);
    List<Ledger.Sample> samples =
        Scene.run(pool, Schedules.during(50 * MS, Schedule.closed()), 200 * MS).ledger().samples;
    assertEquals(1, samples.size());
    assertEquals(Code.DEADLINE_EXCEEDED, samples.get(0).failure().code());
    assertEquals(Fate.ANSWERED, samples.get(0).fate());
  }

  /** A Caller can't cancel a call that it has not made yet. */
  @Test
  void aCallThatWasCancelledTooSoonIsCancelledAgain() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(List.of(new SlowToBegin(scene)), 100 * MS);
    List<Ledger.Sample> samples = Scene.run(pool, Schedules.counting(1, Schedule.closed()), SECOND).ledger().samples;
    assertEquals(Code.DEADLINE_EXCEEDED, samples.get(0).failure().code());
    assertEquals(300 * MS, samples.get(0).done(), 5 * MS);
  }

  /** So is one that the end of the drain cuts off: it ends in time, and the next phase has its slot. */
  @Test
  void aCallThatWasCutOffTooSoonIsCutOffAgain() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(List.of(new SlowToBegin(scene)), 10 * SECOND);
    Schedule schedule = Schedules.during(50 * MS, Schedule.closed());
    List<Ledger.Sample> samples = Scene.run(pool, schedule, 100 * MS).ledger().samples;
    assertEquals(1, samples.size());
    assertEquals(Fate.UNFINISHED, samples.get(0).fate());
    assertEquals(305 * MS, samples.get(0).done(), 5 * MS);
    pool.begin(schedule, SECOND, new Ledger());
  }

  /** Until a cancel has returned, the slot's next call must wait, or the cancel might affect it. */
  @Test
  void noCallBeginsWhileTheOneBeforeIsBeingCancelled() {
    Scene scene = new Scene();
    SlowToCancel caller = new SlowToCancel(scene);
    SlotPool pool = scene.pool(List.of(caller), 100 * MS);
    List<Ledger.Sample> samples = Scene.run(pool, Schedules.counting(2, Schedule.closed()), SECOND).ledger().samples;
    assertEquals(Code.DEADLINE_EXCEEDED, samples.get(0).failure().code());
    assertEquals(105 * MS, samples.get(0).done(), 5 * MS);
    assertEquals(caller.cancelled, samples.get(1).sent(), "the second call begins with the end of the cancel");
    assertNull(samples.get(1).failure());
  }

  /** Answers in its own time, canceled or not. */
  private record Deaf(Scene scene, long serviceNs, CallException failure) implements Caller {
    @Override
    public void start(Done done) {
      scene.network.after(serviceNs, () -> done.done(failure));
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

  /** Makes its call 300 ms after it was asked to, and only a cancel after that ends it. */
  private static final class SlowToBegin implements Caller {
    private final Scene scene;
    private Done running;

    SlowToBegin(Scene scene) {
      this.scene = scene;
    }

    @Override
    public void start(Done done) {
      scene.time.sleepNs(300 * MS);
      running = done;
    }

    @Override
    public void cancel() {
      if (running != null) {
        running.done(new CallException(Code.CANCELLED, "cancelled"));
      }
    }

    @Override
    public void late() {}

    @Override
    public CallException after() {
      return null;
    }
  }

  /** Its first call ends 1 ms after cancel began, and cancel lasts 50 ms; its second takes 1 ms. */
  private static final class SlowToCancel implements Caller {
    private final Scene scene;
    private Done done;
    private int calls;
    long cancelled;

    SlowToCancel(Scene scene) {
      this.scene = scene;
    }

    @Override
    public void start(Done done) {
      this.done = done;
      if (++calls == 2) {
        scene.network.after(MS, () -> done.done(null));
      }
    }

    @Override
    public void cancel() {
      scene.network.after(MS, () -> done.done(new CallException(Code.CANCELLED, "cancelled")));
      scene.time.sleepNs(50 * MS);
      cancelled = scene.nowNs();
    }

    @Override
    public void late() {}

    @Override
    public CallException after() {
      return null;
    }
  }
}
