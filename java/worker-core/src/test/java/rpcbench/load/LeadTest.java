package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class LeadTest {
  private static final long US = 1_000;

  /** Returns where it settles when sleeps end so late. */
  private static long settled(LongSupplier lateNs) {
    Lead lead = new Lead();
    for (int i = 0; i < 20_000; i++) {
      lead.learn(lateNs.getAsLong());
    }
    return lead.ns();
  }

  @Test
  void itFollowsTheLatenessOfSleeps() {
    assertEquals(100 * US, new Lead().ns());
    assertEquals(20 * US, settled(() -> 0), "never late");
    assertEquals(300 * US, settled(() -> 1000 * US), "always late");
  }

  /** Of an even spread from 50 to 150 µs the 99.5th percentile is 149.5 µs; it moves in steps of 20. */
  @Test
  void itSettlesWhereFewSleepsAreTooLate() {
    Random random = new Random(1);
    long ns = settled(() -> 50 * US + random.nextInt(100_000));
    assertTrue(ns >= 130 * US && ns <= 170 * US, ns + " ns");
  }
}
