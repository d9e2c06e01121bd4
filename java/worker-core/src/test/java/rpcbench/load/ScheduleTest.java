package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    double[] gaps = gaps(Schedules.counting(n, Schedules.poisson(rate, 42)));
    assertEquals(n, gaps.length);
    Arrays.sort(gaps);
    double worst = 0;
    for (int i = 0; i < n; i++) {
      double truth = 1 - Math.exp(-rate * gaps[i]);
      worst = Math.max(worst, Math.max(Math.abs(truth - (double) i / n), Math.abs(truth - (i + 1.0) / n)));
    }
    assertTrue(worst < 1.63 / Math.sqrt(n), "distance " + worst);
  }

  /** Made by a third implementation; the Go worker's tests read it too. Logarithms differ in their last bit. */
  @ParameterizedTest
  @CsvFileSource(files = "../../internal/worker/load/testdata/poisson.csv", numLinesToSkip = 1)
  void poissonArrivalsAreThoseOfTheProtocol(String seed, double perSec, int arrival, long dueNs) {
    Arrivals arrivals = new Arrivals(Schedules.poisson(perSec, Long.parseUnsignedLong(seed)));
    for (int i = 0; i < arrival; i++) {
      arrivals.next();
    }
    assertEquals(dueNs, arrivals.next(), 1);
  }

  @Test
  void aSeedGivesOneSequence() {
    double[] gaps = gaps(Schedules.counting(1000, Schedules.poisson(100, 3)));
    assertArrayEquals(gaps, gaps(Schedules.counting(1000, Schedules.poisson(100, 3))));
    assertFalse(Arrays.equals(gaps, gaps(Schedules.counting(1000, Schedules.poisson(100, 4)))));
  }

  @Test
  void constantArrivalsDoNotDrift() {
    long last = new Arrivals(Schedules.counting(3_000_001, Schedules.constant(3))).last();
    assertEquals(1_000_000_000_000_000L, last, "arrival 3,000,000 at 3/s");
  }

  /** All parts together make the arrivals that one would make. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void partsMakeTheArrivalsOfTheWhole(boolean poisson) {
    Schedule whole = new Schedule(3000, poisson, 5, 1_000_000_000, 0, 0, 1);
    List<Long> all = new ArrayList<>();
    for (int part = 0; part < 7; part++) {
      Arrivals own = new Arrivals(Schedules.part(part, 7, whole));
      for (long due = own.next(); due != Arrivals.NONE; due = own.next()) {
        all.add(due);
      }
    }
    all.sort(null);
    Arrivals one = new Arrivals(whole);
    for (long due : all) {
      assertEquals(one.next(), due);
    }
    assertEquals(Arrivals.NONE, one.next());
  }

  @Test
  void sharesAddUp() {
    Schedule closed = Schedule.closed();
    assertEquals(List.of(4L, 3L, 3L), LongStream.range(0, 3).mapToObj(i -> Schedules.part(i, 3, closed).share(10)).toList());
  }

  @Test
  void theWindowIsHalfOpen() {
    for (int perSec = 1; perSec <= 2000; perSec++) {
      assertEquals(perSec, gaps(Schedules.during(1_000_000_000, Schedules.constant(perSec))).length);
    }
  }
}
