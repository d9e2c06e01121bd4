package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static rpcbench.load.Scene.MS;
import static rpcbench.load.Scene.SECOND;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClosedTest {
  /** Calls of 10 ms in 10 slots for 1 s: 100 calls a slot, none begun at 1 s. */
  @Test
  void aClosedLoadKeepsEverySlotBusy() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(10, () -> scene.takes(10 * MS));
    Scene.Course course = Scene.run(pool, Schedules.during(SECOND, Schedule.closed()), SECOND);
    assertEquals(new Tally(1000, SECOND, SECOND, 0, 0), course.tally());
    assertEquals(0, course.ledger().count(s -> s.due() != s.sent() || s.wake() != 0 || s.queue() != 0));
    assertEquals(100, course.ledger().count(s -> s.slot() == 9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"closed", "constant", "poisson"})
  void aNumberOfCallsIsExact(String arrivals) {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(10, () -> scene.takes(3 * MS));
    Schedule schedule =
        switch (arrivals) {
          case "closed" -> Schedule.closed();
          case "constant" -> Schedules.constant(1000);
          default -> Schedules.poisson(1000, 0);
        };
    Scene.Course course = Scene.run(pool, Schedules.counting(137, schedule), SECOND);
    assertEquals(137, course.tally().arrivals());
    assertEquals(137, course.ledger().count(Fate.ANSWERED));
  }

  @Test
  void inFlightCountsCalls() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(10, () -> scene.takes(10 * MS));
    int[] seen = new int[2];
    scene.network.after(5 * MS, () -> seen[0] = pool.inFlight());
    Scene.run(pool, Schedules.counting(7, Schedule.closed()), SECOND);
    seen[1] = pool.inFlight();
    assertEquals(List.of(7, 0), List.of(seen[0], seen[1]));
  }

  /** Calls of 10 ms: 2 slots for 104 ms, then 6, then 1. A surplus slot ends its call. */
  @Test
  void stagesChangeHowManySlotsMakeCalls() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(8, () -> scene.takes(10 * MS));
    List<Integer> seen = new ArrayList<>();
    for (long at : new long[] {5, 95, 109, 205, 220, 305}) {
      scene.network.after(at * MS, () -> seen.add(pool.inFlight()));
    }
    Schedule ramp = Schedules.staged(
        Schedules.during(312 * MS, Schedule.closed()),
        new Stage(2, 2, 104 * MS), new Stage(6, 6, 104 * MS), new Stage(1, 1, 104 * MS));
    Scene.Course course = Scene.run(pool, ramp, SECOND);
    assertEquals(List.of(2, 2, 6, 6, 1, 1), seen);
    assertEquals(32 + 21 + 4 * 11, course.tally().arrivals());
    assertEquals(97, course.ledger().count(Fate.ANSWERED));
    assertEquals(
        List.of(32L, 21L, 11L, 11L, 11L, 11L, 0L, 0L),
        IntStream.range(0, 8).mapToObj(i -> course.ledger().count(s -> s.slot() == i)).toList());
    assertEquals(0, pool.inFlight());
  }

  /** Idle slots begin again in the next phase; a stop releases them at once. */
  @Test
  void aStopEndsARampWhoseSlotsAreIdle() {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(4, () -> scene.takes(10 * MS));
    Schedule rising = Schedules.staged(
        Schedules.during(SECOND, Schedule.closed()), new Stage(0, 0, 500 * MS), new Stage(4, 4, 500 * MS));
    Ledger ledger = new Ledger();
    Phase phase = pool.begin(rising, SECOND, ledger);
    scene.network.after(200 * MS, phase::stop);
    Scene.Course stopped = Scene.run(phase, ledger);
    assertEquals(0, stopped.tally().arrivals());
    assertEquals(200 * MS, stopped.tally().stoppedNs());
    assertEquals(200 * MS, stopped.tally().windowNs());
    assertEquals(200, Scene.run(pool, rising, SECOND).tally().arrivals());
  }

  /** Three parts of 4 calls in flight have 2, 1 and 1. */
  @Test
  void partsShareALevel() {
    Schedule four = Schedules.staged(Schedules.during(100 * MS, Schedule.closed()), new Stage(4, 4, 100 * MS));
    List<Long> made = new ArrayList<>();
    for (int part = 0; part < 3; part++) {
      Scene scene = new Scene();
      SlotPool pool = scene.pool(2, () -> scene.takes(10 * MS));
      made.add(Scene.run(pool, Schedules.part(part, 3, four), SECOND).tally().arrivals());
    }
    assertEquals(List.of(20L, 10L, 10L), made);
  }
}
