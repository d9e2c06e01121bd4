package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static rpcbench.load.Scene.MS;
import static rpcbench.load.Scene.SECOND;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import rpcbench.stack.Caller;

class WindowTest {
  static Stream<Arguments> schedules() {
    Schedule hundred = Schedules.constant(100);
    Schedule closed = Schedule.closed();
    return Stream.of(
        Arguments.of(Schedules.during(SECOND, hundred), 500 * MS, new Tally(100, 6500 * MS, SECOND, 1, 0)),
        Arguments.of(Schedules.counting(200, hundred), 500 * MS, new Tally(200, 6500 * MS, 2 * SECOND, 1, 0)),
        Arguments.of(Schedules.counting(3, Schedules.constant(1)), -1, new Tally(3, 2010 * MS, 3 * SECOND, 0, 0)),
        Arguments.of(
            Schedules.part(1, 2, Schedules.counting(200, hundred)), -1, new Tally(100, 2 * SECOND, 2 * SECOND, 0, 0)),
        Arguments.of(Schedules.during(SECOND, closed), -1, new Tally(400, SECOND, SECOND, 0, 0)),
        Arguments.of(Schedules.counting(400, closed), -1, new Tally(400, SECOND, SECOND, 0, 0)));
  }

  /** Calls of 10 ms, but for the one that is sent at a moment: it takes 6 s. */
  @ParameterizedTest
  @MethodSource("schedules")
  void theWindowEndsWhenNoMoreCallsAreDue(Schedule schedule, long hangs, Tally want) {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(4, () -> scene.new Served(at -> at == hangs ? 6 * SECOND : 10 * MS, false));
    assertEquals(want, Scene.run(pool, schedule, 10 * SECOND).tally());
  }

  /** One of four slots makes its first of 400 calls take 6 s; the others make 133 each in 1.33 s, 300 calls/s. */
  @Test
  void aSlotThatHangsDoesNotDivideTheRateOfTheOthers() {
    Scene scene = new Scene();
    List<Caller> callers =
        List.of(scene.takes(6 * SECOND), scene.takes(10 * MS), scene.takes(10 * MS), scene.takes(10 * MS));
    Tally tally =
        Scene.run(scene.pool(callers, 10 * SECOND), Schedules.counting(400, Schedule.closed()), 10 * SECOND).tally();
    double perSec = 300 + 1. / 6;
    assertEquals(400 / perSec * SECOND, tally.windowNs(), 1_000);
    assertEquals(6 * SECOND, tally.elapsedNs());
    assertEquals(0, tally.late());
  }

  /** Calls of 100 ms: of a rate of 100/s five are answered in the drain, and of a closed load one. */
  @ParameterizedTest
  @CsvSource({"100, 0, 5", "100, 1000, 5", "100, 1000000000000000, 5", "0, 0, 1", "0, 1000, 1"})
  void aStopEndsTheWindow(double perSec, long calls, long late) {
    Scene scene = new Scene();
    Scene.Served server = scene.new Served(at -> 100 * MS, false);
    SlotPool pool = scene.pool(1, () -> server);
    Ledger ledger = new Ledger();
    Phase phase = pool.begin(Schedules.counting(calls, Schedules.constant(perSec)), 500 * MS, ledger);
    scene.network.after(150 * MS, phase::stop);
    Tally tally = Scene.run(phase, ledger).tally();
    assertEquals(150 * MS, tally.windowNs());
    assertEquals(late, tally.late());
    assertEquals(late, server.late, "calls of which the Caller was told before after()");
  }

  /** All calls have begun: a stop that comes then ends nothing. */
  @ParameterizedTest
  @CsvSource({"1, 3, 5000, 2500, 7000, 3000000000, 3", "0, 4, 100, 120, 200, 133333333, 0"})
  void aStopAfterTheLastCallHasBegunLeavesTheWindow(
      double perSec, long calls, long takesMs, long atMs, long elapsedMs, long windowNs, long late) {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(3, () -> scene.takes(takesMs * MS));
    Ledger ledger = new Ledger();
    Phase phase = pool.begin(Schedules.counting(calls, Schedules.constant(perSec)), 3600 * SECOND, ledger);
    scene.network.after(atMs * MS, phase::stop);
    assertEquals(new Tally(calls, elapsedMs * MS, windowNs, late, 0), Scene.run(phase, ledger).tally());
  }
}
