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
    Arrivals arrivals = new Arrivals(Schedules.counting(3_000_001, Schedules.constant(3)));
    for (int i = 0; i < 3_000_000; i++) {
      arrivals.next();
    }
    assertEquals(1_000_000_000_000_000L, arrivals.next(), "arrival 3,000,000 at 3/s");
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

  /** From 0 to 100/s in 2 s: n arrivals are expected after √(n/25) s; then 100/s go on. */
  @Test
  void aRisingRateHasItsArrivalsWhereTheyAreExpected() {
    Arrivals arrivals = new Arrivals(Schedules.staged(Schedules.constant(50), new Stage(0, 100, 2_000_000_000)));
    for (int n = 0; n < 100; n++) {
      assertEquals(Math.sqrt(n / 25.0) * 1e9, arrivals.next(), 1, "arrival " + n);
    }
    for (int n = 0; n < 100; n++) {
      assertEquals(2e9 + n * 1e7, arrivals.next(), 1, "arrival " + (100 + n));
    }
  }

  @Test
  void aRateThatEndsAtZeroHasNoMoreArrivals() {
    Schedule falling = Schedules.staged(Schedules.constant(5), new Stage(10, 10, 1_000_000_000), new Stage(10, 0, 1_000_000_000));
    assertEquals(15, gaps(falling).length, "none at the end of the rate");
  }

  /** A rate that stays the same is the same load, with stages or without. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void stagesOfOneRateChangeNothing(boolean poisson) {
    Schedule plain = Schedules.counting(500, new Schedule(400, poisson, 7, 0, 0, 0, 1));
    double[] staged = gaps(Schedules.staged(plain, new Stage(400, 400, 300_000_000), new Stage(400, 400, 1)));
    assertArrayEquals(gaps(plain), staged, 2.1e-9); // each arrival is rounded to ns
  }

  @Test
  void levelsAreTheNearestToTheStages() {
    assertEquals(List.of(), changes(new Stage(5, 5, 1000)));
    assertEquals(List.of("6 at 1000", "1 at 2000"), changes(new Stage(2, 2, 1000), new Stage(6, 6, 1000), new Stage(1, 1, 1000)));
    assertEquals(List.of("2 at 500", "3 at 1500", "4 at 2500"), changes(new Stage(1, 4, 3000)));
    assertEquals(List.of("1 at 1000", "0 at 3000"), changes(new Stage(2, 0, 4000)));
    assertEquals(List.of("1 at 500", "5 at 1000", "4 at 1500"), changes(new Stage(0, 1, 1000), new Stage(5, 4, 1000)));
    assertEquals(List.of("3 at 750", "4 at 1750"), changes(new Stage(1.75, 3.75, 2000)));
    assertEquals(List.of(), changes(new Stage(0, 0.4, 1000)));
  }

  private static List<String> changes(Stage... stages) {
    Levels levels = new Levels(List.of(stages));
    List<String> changes = new ArrayList<>();
    while (levels.next()) {
      changes.add(levels.level() + " at " + levels.atNs());
    }
    return changes;
  }
}
