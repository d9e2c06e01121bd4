package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static double[] gaps(Schedule schedule) {
    Arrivals arrivals = new Arrivals(schedule);
    DoubleStream.Builder gaps = DoubleStream.builder();
    long before = 0;
    for (long due = arrivals.next(); due != Arrivals.NONE; due = arrivals.next()) {
      gaps.add((due - before) / 1e9);
      before = due;
    }
    return gaps.build().toArray();
  }

  /**
   * The Kolmogorov–Smirnov distance of 100,000 gaps from the exponential distribution stays under its 1% critical
   * value, 1.63/√n (Stephens 1974).
   */
  @Test
  void poissonGapsAreExponential() {
    int n = 100_000;
    double rate = 250;
    double[] gaps = gaps(Schedule.poisson(rate, 42).counting(n));
    assertEquals(n, gaps.length);
    Arrays.sort(gaps);
    double worst = 0;
    for (int i = 0; i < n; i++) {
      double truth = 1 - Math.exp(-rate * gaps[i]);
      worst = Math.max(worst, Math.max(Math.abs(truth - (double) i / n), Math.abs(truth - (i + 1.0) / n)));
    }
    assertTrue(worst < 1.63 / Math.sqrt(n), "distance " + worst);
  }

  @Test
  void aSeedGivesOneSequence() {
    double[] gaps = gaps(Schedule.poisson(100, 3).counting(1000));
    assertArrayEquals(gaps, gaps(Schedule.poisson(100, 3).counting(1000)));
    assertFalse(Arrays.equals(gaps, gaps(Schedule.poisson(100, 4).counting(1000))));
  }

  @Test
  void constantArrivalsDoNotDrift() {
    long last = new Arrivals(Schedule.constant(3).counting(3_000_001)).last();
    assertEquals(1_000_000_000_000_000L, last, "arrival 3,000,000 at 3/s");
  }

  @Test
  void theWindowIsHalfOpen() {
    assertEquals(1000, gaps(Schedule.constant(1000).during(1_000_000_000)).length);
  }
}
