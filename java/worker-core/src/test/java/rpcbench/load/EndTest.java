package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rpcbench.load.Scene.MS;
import static rpcbench.load.Scene.SECOND;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;

class EndTest {
  /** Closed: one call every 20 ms until 999 ms. Open: 100 are due, and all are made late. */
  @ParameterizedTest
  @CsvSource({"0, 50", "100, 100"})
  void stopEndsTheScheduleAndDrains(double perSec, long calls) {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(1, () -> scene.takes(20 * MS));
    Ledger ledger = new Ledger();
    Phase phase = pool.begin(Schedules.constant(perSec), 10 * SECOND, ledger);
    scene.network.after(999 * MS, () -> {
      phase.stop();
      phase.stop();
    });
    Scene.Course course = Scene.run(phase, ledger);
    assertEquals(calls, course.tally().arrivals());
    assertEquals(calls, ledger.count(Fate.ANSWERED));
  }

  /** A phase of 2 s whose calls take 5 s, and which would drain for an hour, is stopped with a drain of 1 s. */
  @ParameterizedTest
  @CsvSource({"0, 950, 20, 1950, 950, 0", "10, 950, 10, 1950, 950, 0", "10, 5550, 20, 6550, 0, 16"})
  void stopMayShortenTheDrain(double perSec, long atMs, long calls, long tookMs, long stoppedMs, long late) {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(20, () -> scene.takes(5 * SECOND));
    Ledger ledger = new Ledger();
    Phase phase = pool.begin(Schedules.during(2 * SECOND, Schedules.constant(perSec)), 3600 * SECOND, ledger);
    scene.network.after(atMs * MS, () -> {
      phase.stop();
      phase.stop(SECOND);
    });
    long windowMs = stoppedMs > 0 ? stoppedMs : 2000;
    Tally want = new Tally(calls, tookMs * MS, windowMs * MS, late, stoppedMs * MS);
    assertEquals(want, Scene.run(phase, ledger).tally());
    assertEquals(calls - late, ledger.count(Fate.UNFINISHED));
  }

  /** Closed and open: a phase that waits begins then, and one that is stopped before makes no call. */
  @ParameterizedTest
  @CsvSource({"0, 5", "100, 5", "0, 0", "100, 0"})
  void aPhaseMayWait(double perSec, long calls) {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(1, () -> scene.takes(20 * MS));
    Ledger ledger = new Ledger();
    Phase phase = pool.begin(Schedules.counting(5, Schedules.constant(perSec)), 10 * SECOND, ledger);
    if (calls == 0) {
      scene.network.after(SECOND, phase::stop);
    }
    phase.await(3 * SECOND);
    assertEquals(calls == 0 ? SECOND : 3 * SECOND, scene.nowNs());
    Scene.Course course = Scene.run(phase, ledger);
    assertEquals(calls, course.tally().arrivals());
    assertEquals(calls * 20 * MS, course.tally().elapsedNs());
  }

  /** Counts the arrivals that were never sent, in how many pieces they were told, and how late they were at least. */
  private static final class Unsent implements Sink {
    long arrivals;
    long pieces;
    long minNs = Long.MAX_VALUE;

    @Override
    public void record(
        int slot, Fate fate, long due, long sent, long done, long queue, long wake, CallException failure) {
      arrivals += fate == Fate.UNSENT ? 1 : 0;
    }

    @Override
    public void unsent(long due, long done, long count) {
      arrivals += count;
      pieces++;
      minNs = Math.min(minNs, done - due);
    }
  }

  /**
   * A load that can't keep up is cut off with 50 million arrivals that were never sent. None is lost, and they are reported in
   * groups: between the first one's bound of 51 s and the last one's of 1 s there are ln 51 / ln 1.001 steps of a thousandth.
   */
  @Test
  void arrivalsThatWereNeverSentAreCutOffInBulk() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(List.of(scene.takes(3600 * SECOND)), 3600 * SECOND);
    Unsent unsent = new Unsent();
    Phase phase = pool.begin(Schedules.during(50 * SECOND, Schedules.constant(1_000_000)), SECOND, unsent);
    Tally tally = phase.run();
    assertEquals(List.of(50_000_000L, 49_999_999L), List.of(tally.arrivals(), unsent.arrivals));
    assertTrue(unsent.pieces < 4000, unsent.pieces + " pieces");
    assertEquals(SECOND + 1000, unsent.minNs);
  }

  @Test
  void anAbortCutsThePhaseOff() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(2, () -> scene.takes(10 * SECOND));
    Ledger ledger = new Ledger();
    Phase phase = pool.begin(Schedules.during(5 * SECOND, Schedules.constant(10)), 10 * SECOND, ledger);
    scene.network.after(1050 * MS, phase::abort);
    assertEquals(11, Scene.run(phase, ledger).tally().arrivals());
    assertEquals(2, ledger.count(Fate.UNFINISHED));
    assertEquals(9, ledger.count(Fate.UNSENT));
  }

  @Test
  void anInterruptionCutsThePhaseOffAndStandsAfterwards() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(1, () -> scene.takes(10 * SECOND));
    Ledger ledger = new Ledger();
    Phase phase = pool.begin(Schedules.during(5 * SECOND, Schedule.closed()), 10 * SECOND, ledger);
    Thread runner = Thread.currentThread();
    scene.network.after(70 * MS, () -> {
      runner.interrupt();
      scene.time.unpark(runner);
    });
    Tally tally = Scene.run(phase, ledger).tally();
    assertTrue(Thread.interrupted(), "the interruption was swallowed");
    assertEquals(new Tally(1, 70 * MS, 70 * MS, 0, 0), tally);
    assertEquals(1, ledger.count(Fate.UNFINISHED));
  }

  /** A Caller whose start, cancel or after hangs, or whose call just never ends. */
  private static final class Hanging implements Caller {
    private final Scene scene;
    private final String in;
    Done done;
    int afters;

    Hanging(Scene scene, String in) {
      this.scene = scene;
      this.in = in;
    }

    @Override
    public void start(Done done) {
      this.done = done;
      hang("start");
      if (in.equals("after")) {
        scene.network.after(MS, () -> done.done(null));
      }
    }

    @Override
    public void cancel() {
      hang("cancel");
    }

    @Override
    public void late() {}

    @Override
    public CallException after() {
      afters++;
      hang("after");
      return null;
    }

    private void hang(String where) {
      if (in.equals(where)) {
        scene.time.sleepNs(1000 * SECOND);
      }
    }
  }

  /**
   * A call that does not end can't delay the phase, which takes 1 s + 1 s drain + 5 s grace, and one more second if the cancel
   * hangs. Its slot is refused from then on.
   */
  @ParameterizedTest
  @CsvSource({"nothing, 7", "start, 7", "after, 7", "cancel, 8"})
  void aCallThatNeverReturnsIsGivenUp(String hangsIn, long seconds) {
    Scene scene = new Scene();
    Hanging caller = new Hanging(scene, hangsIn);
    SlotPool pool = scene.pool(List.of(caller), SECOND);
    Ledger ledger = Scene.run(pool, Schedules.during(SECOND, Schedules.constant(10)), SECOND).ledger();
    assertEquals(seconds * SECOND, scene.nowNs(), 10 * MS);
    assertEquals(1, ledger.count(Fate.UNFINISHED));
    assertEquals(9, ledger.count(Fate.UNSENT));
    caller.done.done(null); // too late to be recorded
    assertEquals(10, ledger.samples.size());
    assertEquals(hangsIn.equals("after") ? 1 : 0, caller.afters);
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> pool.begin(Schedule.closed(), SECOND, ledger));
    assertEquals("slot 0 has not returned from a call of the previous phase", refused.getMessage());
  }

  /**
   * A call that is canceled while its thread is still loading classes learns of it when they are loaded, which takes seconds on a
   * busy machine.
   */
  @Test
  void aSlotWhoseCancelledCallReturnsSecondsLaterIsNotLost() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(List.of(new SlowToCancel(scene)), SECOND);
    for (int phase = 0; phase < 2; phase++) {
      Ledger ledger = Scene.run(pool, Schedules.during(SECOND, Schedules.constant(10)), SECOND).ledger();
      assertEquals(List.of(1L, 9L), List.of(ledger.count(Fate.ANSWERED), ledger.count(Fate.UNSENT)), "phase " + phase);
    }
    assertEquals(2 * 6 * SECOND, scene.nowNs(), 200 * MS); // the watchdog looks every 50 ms
  }

  /** A Caller whose calls end five seconds after the first cancel. */
  private static final class SlowToCancel implements Caller {
    private final Scene scene;
    private Done done;
    private boolean cancelled;

    SlowToCancel(Scene scene) {
      this.scene = scene;
    }

    @Override
    public void start(Done done) {
      this.done = done;
      cancelled = false;
    }

    @Override
    public void cancel() {
      if (!cancelled) {
        cancelled = true;
        scene.network.after(5 * SECOND, () -> done.done(new CallException(Code.CANCELLED, "cancelled")));
      }
    }

    @Override
    public void late() {}

    @Override
    public CallException after() {
      return null;
    }
  }

  /**
   * 1000 calls/s, of which call 2 hangs in start from 5 ms on, having ended call 1 before it did. So slot 1 has taken
   * arrival 3 on a thread that never gets to send it.
   */
  @Test
  void whatASlotHasTakenAndNotSentIsUnsent() {
    Scene scene = new Scene();
    Caller.Done[] first = new Caller.Done[1];
    Caller slot1 = new Started(done -> first[0] = done);
    Caller slot0 =
        new Started(
            done -> {
              if (first[0] == null) {
                scene.network.after(MS / 2, () -> done.done(null));
              } else {
                scene.time.sleepNs(3 * MS);
                first[0].done(null);
                scene.time.sleepNs(1000 * SECOND);
              }
            });
    SlotPool pool = scene.pool(List.of(slot0, slot1), SECOND);
    Ledger ledger = Scene.run(pool, Schedules.counting(10, Schedules.constant(1000)), SECOND).ledger();
    assertEquals(
        List.of(2L, 1L, 7L),
        List.of(ledger.count(Fate.ANSWERED), ledger.count(Fate.UNFINISHED), ledger.count(Fate.UNSENT)));
  }

  /** A Caller that is its start. */
  private record Started(Consumer<Done> work) implements Caller {
    @Override
    public void start(Done done) {
      work.accept(done);
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
  void phasesFollowOneAnotherInAPool() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(4, () -> scene.takes(10 * MS));
    for (int i = 0; i < 3; i++) {
      assertEquals(new Tally(8, 20 * MS, 20 * MS, 0, 0), Scene.run(pool, Schedules.counting(8, Schedule.closed()), SECOND).tally());
      Schedule open = Schedules.counting(8, Schedules.constant(100));
      assertEquals(new Tally(8, 80 * MS, 80 * MS, 0, 0), Scene.run(pool, open, SECOND).tally());
    }
  }
}
