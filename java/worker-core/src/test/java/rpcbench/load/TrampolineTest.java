package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rpcbench.load.Scene.MS;
import static rpcbench.load.Scene.SECOND;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;

class TrampolineTest {
  /** Its calls end within start, after an optional rest of virtual time, and it watches how deep the stack gets. */
  private static final class Immediate implements Caller {
    private final Runnable rest;
    long deepest;

    Immediate(Runnable rest) {
      this.rest = rest;
    }

    @Override
    public void start(Done done) {
      rest.run();
      deepest = Math.max(deepest, StackWalker.getInstance().walk(frames -> frames.limit(100).count()));
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

  @ParameterizedTest
  @ValueSource(doubles = {0, 1e9})
  void callsThatEndWithinTheirStartDoNotRecurse(double perSec) {
    Scene scene = new Scene();
    Immediate caller = new Immediate(() -> {});
    SlotPool pool = scene.pool(List.of(caller), SECOND);
    Schedule schedule = Schedules.counting(20_000, Schedules.constant(perSec));
    assertEquals(20_000, Scene.run(pool, schedule, SECOND).tally().arrivals());
    assertTrue(caller.deepest < 30, "the stack was " + caller.deepest + " frames deep");
  }

  /** Slots whose calls block in start for 1 ms each, all on one thread, take turns. */
  @Test
  void slotsThatBlockTakeTurns() {
    Scene scene = new Scene();
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      callers.add(new Immediate(() -> scene.time.sleepNs(MS)));
    }
    Scene.Course course = Scene.run(scene.pool(callers, SECOND), Schedules.during(100 * MS, Schedule.closed()), SECOND);
    assertEquals(new Tally(100, 100 * MS, 100 * MS, 0, 0), course.tally());
    for (int slot = 0; slot < 4; slot++) {
      int i = slot;
      assertEquals(25, course.ledger().count(s -> s.slot() == i), "calls of slot " + slot);
    }
  }
}
