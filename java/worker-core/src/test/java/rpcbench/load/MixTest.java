package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static rpcbench.load.Scene.MS;
import static rpcbench.load.Scene.SECOND;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import rpcbench.stack.Caller;

class MixTest {
  /** A pool whose calls take 10, 20 and 30 ms; call number n is of n mod 3. */
  private static SlotPool pool(int slots, long deadlineNs) {
    Scene scene = new Scene();
    List<List<Caller>> callers = new ArrayList<>();
    for (int i = 0; i < slots; i++) {
      callers.add(List.of(scene.takes(10 * MS), scene.takes(20 * MS), scene.takes(30 * MS)));
    }
    return new SlotPool(new Mix(callers, number -> (int) Long.remainderUnsigned(number, 3)), scene.time, deadlineNs);
  }

  /** Keeps the samples of each call. */
  private static final class Apart implements Sink {
    final List<Ledger> each = List.of(new Ledger(), new Ledger(), new Ledger());

    @Override
    public Sink of(int which) {
      return each.get(which);
    }

    @Override
    public void record(
        int slot, Fate fate, long due, long sent, long done, long queue, long wake, rpcbench.stack.CallException failure) {
      throw new IllegalStateException("a sample of no call");
    }

    List<Integer> counts() {
      return List.of(each.get(0).samples.size(), each.get(1).samples.size(), each.get(2).samples.size());
    }
  }

  @Test
  void anArrivalIsTheSameCallInEverySlot() {
    for (int slots : new int[] {1, 7, 100}) {
      Apart apart = new Apart();
      Tally tally = pool(slots, 10 * SECOND)
          .begin(Schedules.during(SECOND, Schedules.constant(100)), 10 * SECOND, apart)
          .run();
      assertEquals(100, tally.arrivals());
      assertEquals(List.of(34, 33, 33), apart.counts());
      for (int which = 0; which < 3; which++) {
        for (Ledger.Sample s : apart.each.get(which).samples) {
          assertEquals(which, s.due() / (10 * MS) % 3, "arrival of call " + which);
          assertEquals((which + 1) * 10 * MS, s.service());
        }
      }
    }
  }

  /** 2^40 mod 3 is 1, so that the only slot of part 1 of 2 begins with call 1; every phase draws anew. */
  @Test
  void aSlotOfAClosedLoadHasItsOwnCalls() {
    SlotPool pool = pool(1, 10 * SECOND);
    for (int phase = 0; phase < 2; phase++) {
      Apart apart = new Apart();
      pool.begin(Schedules.part(1, 2, Schedules.counting(8, Schedule.closed())), SECOND, apart).run();
      assertEquals(List.of(1, 2, 1), apart.counts()); // calls 1, 2, 0, 1
    }
  }

  @Test
  void whatWasNotAnsweredIsCountedByCall() {
    Apart apart = new Apart();
    Tally tally = pool(1, 25 * MS).begin(Schedules.during(SECOND, Schedules.constant(3000)), 0, apart).run();
    assertEquals(3000, tally.arrivals());
    assertEquals(List.of(1000, 1000, 1000), apart.counts());
    for (Ledger one : apart.each) {
      assertTrue(one.count(Fate.UNSENT) > 900);
    }
    assertEquals(0, apart.each.get(0).count(s -> s.failure() != null));
    assertTrue(apart.each.get(2).count(s -> s.failure() != null) > 0);
  }
}
