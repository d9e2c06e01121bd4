package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static rpcbench.load.Scene.MS;
import static rpcbench.load.Scene.SECOND;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClosedTest {
  /** Calls of 10 ms in 10 slots for 1 s: 100 calls a slot, none begun at 1 s. */
  @Test
  void aClosedLoadKeepsEverySlotBusy() {
    Scene scene = new Scene();
    Room room = scene.room(10, () -> scene.takes(10 * MS));
    Scene.Course course = Scene.run(room, Schedules.during(SECOND, Schedule.closed()), SECOND);
    assertEquals(new Tally(1000, SECOND, SECOND, 0, 0), course.tally());
    assertEquals(0, course.ledger().count(s -> s.due() != s.sent() || s.wake() != 0 || s.queue() != 0));
    assertEquals(100, course.ledger().count(s -> s.slot() == 9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"closed", "constant", "poisson"})
  void aNumberOfCallsIsExact(String arrivals) {
    Scene scene = new Scene();
    Room room = scene.room(10, () -> scene.takes(3 * MS));
    Schedule schedule =
        switch (arrivals) {
          case "closed" -> Schedule.closed();
          case "constant" -> Schedules.constant(1000);
          default -> Schedules.poisson(1000, 0);
        };
    Scene.Course course = Scene.run(room, Schedules.counting(137, schedule), SECOND);
    assertEquals(137, course.tally().arrivals());
    assertEquals(137, course.ledger().count(Fate.ANSWERED));
  }

  @Test
  void inFlightCountsCalls() {
    Scene scene = new Scene();
    Room room = scene.room(10, () -> scene.takes(10 * MS));
    int[] seen = new int[2];
    scene.network.after(5 * MS, () -> seen[0] = room.inFlight());
    Scene.run(room, Schedules.counting(7, Schedule.closed()), SECOND);
    seen[1] = room.inFlight();
    assertEquals(List.of(7, 0), List.of(seen[0], seen[1]));
  }
}
