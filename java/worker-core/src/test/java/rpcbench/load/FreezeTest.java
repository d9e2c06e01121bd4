package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static rpcbench.load.Scene.MS;
import static rpcbench.load.Scene.SECOND;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** 200 calls/s for 6 s; from 2 s on the server is frozen for 1 s. */
class FreezeTest {
  private static Scene.Course freeze(int slots) {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(slots, () -> scene.frozen(MS, 2 * SECOND, 3 * SECOND));
    return Scene.run(pool, Schedules.during(6 * SECOND, Schedules.constant(200)), 10 * SECOND);
  }

  /**
   * The calls due in that second, and the one that the freeze catches, feel it, however many slots there are. Call k of
   * the freeze is due at 2 s + 5k ms and done at 3 s + ⌊k/slots⌋ ms, in batches of one per slot; it took over 100 ms
   * when 5k − ⌊k/slots⌋ &lt; 900.
   */
  @ParameterizedTest
  @CsvSource({"1, 225", "10, 184", "1000, 180"})
  void aFrozenServerIsFeltByAllCallsDueMeanwhile(int slots, int slow) {
    Scene.Course course = freeze(slots);
    assertEquals(1200, course.tally().arrivals());
    assertEquals(1200, course.ledger().count(Fate.ANSWERED));
    assertEquals(slow, course.ledger().count(s -> s.response() > 100 * MS));
    assertEquals(SECOND, course.ledger().samples.stream().mapToLong(Ledger.Sample::response).max().orElse(0));
  }

  /** With one slot, service time shows the freeze once; response time shows it for every call. */
  @Test
  void serviceTimeHidesWhatResponseTimeShows() {
    Ledger ledger = freeze(1).ledger();
    assertEquals(1, ledger.count(s -> s.service() > 100 * MS));
    assertEquals(225, ledger.count(s -> s.response() > 100 * MS));
  }
}
