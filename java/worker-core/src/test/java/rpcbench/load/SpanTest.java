package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static rpcbench.load.Scene.SECOND;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpanTest {
  private static final BooleanSupplier NEVER =
      () -> {
        return fail("it reads arrivals");
      };

  static Stream<Schedule> schedules() {
    Stage[] stages = {line(0, 40), line(7, 7), line(0, 0), line(40, 1)};
    return Stream.of(
        Schedules.constant(1),
        Schedules.poisson(1, 3),
        Schedules.staged(Schedules.constant(1), stages),
        Schedules.staged(Schedules.poisson(1, 3), stages),
        Schedules.staged(Schedules.constant(1), line(20, 0))); // 30 calls are ever due
  }

  private static Stage line(double from, double to) {
    return new Stage(from, to, 3 * SECOND);
  }

  /** A span that is computed must not differ from that of the arrivals one after another. */
  @ParameterizedTest
  @MethodSource("schedules")
  void aSpanIsThatOfTheArrivals(Schedule s) {
    for (double perSec : new double[] {1e-9, 1. / 3, 3, 7.7, 1000, 123456.789, 3e9}) { // 1e-9 is too slow for all
      for (long parts : new long[] {1, 2, 3, 7}) {
        for (long part = 0; part < parts; part++) {
          for (long calls : new long[] {1, 2, 3, 29, 30, 31, 200, 1001}) {
            Schedule each = new Schedule(perSec, s.poisson(), s.seed(), 0, calls, part, parts, s.stages());
            assertEquals(walked(each), Span.of(each, () -> false), each::toString);
          }
        }
      }
    }
  }

  /** Returns a span by its definition. */
  private static Span walked(Schedule s) {
    Schedule whole = Schedules.part(0, 1, Schedules.counting(s.calls() + 1, s));
    return new Span(last(new Arrivals(whole)), last(new Arrivals(s)));
  }

  private static long last(Arrivals arrivals) {
    long last = 0;
    for (long due = arrivals.next(); due != Arrivals.NONE; due = arrivals.next()) {
      last = due;
    }
    return last;
  }

  /** More calls than can be read one by one. */
  @Test
  void aSpanTakesNoLongerForMoreCalls() {
    Schedule many = Schedules.counting(1_000_000_000_000L, Schedules.constant(1_000_000));
    assertEquals(
        new Span(1_000_000 * SECOND, 1_000_000 * SECOND - 1000), Span.of(Schedules.part(3, 4, many), NEVER));
    Schedule endless = Schedules.counting(Long.MAX_VALUE, many);
    assertTrue(Span.of(endless, NEVER).windowNs() > Time.FOREVER_NS / 2);
  }

  /** What a phase computes after its origin makes all calls late that are due meanwhile. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theEndOfAPhaseIsKnownBeforeItBegins(boolean poisson) {
    Schedule schedule = Schedules.counting(20, new Schedule(1000, poisson, 1, 0, 0, 0, 1));
    long window = walked(schedule).windowNs();
    List<Boolean> known = new ArrayList<>(); // whenever the clock is read
    Phase[] phase = new Phase[1];
    Scene scene = new Scene();
    Time time = new Watched(scene.time, () -> known.add(phase[0].isLate(window + 1) && !phase[0].isLate(window)));
    phase[0] = new SlotPool(List.of(scene.takes(1)), time, SECOND).begin(schedule, SECOND, new Ledger());
    assertEquals(window, phase[0].run().windowNs());
    assertTrue(known.get(0), "at the origin");
  }

  /** Tells of every reading of the clock. */
  private static final class Watched extends OtherTime {
    private final Runnable read;

    Watched(VirtualTime time, Runnable read) {
      super(time);
      this.read = read;
    }

    @Override
    public long nowNs() {
      read.run();
      return super.nowNs();
    }
  }

  /** To read random arrivals takes time in proportion to their number. A stop or an abort need not wait for it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStopEndsTheReadingOfArrivals(boolean aborts) throws InterruptedException {
    Scene scene = new Scene();
    SlotPool pool = scene.pool(1, () -> scene.takes(1));
    Phase phase = pool.begin(Schedules.counting(1_000_000_000_000_000L, Schedules.poisson(1, 1)), SECOND, new Ledger());
    Thread ends = new Thread(aborts ? phase::abort : phase::stop);
    ends.start();
    phase.await(3600 * SECOND);
    ends.join();
    assertEquals(0, phase.run().arrivals());
    assertFalse(Thread.interrupted());
  }
}
