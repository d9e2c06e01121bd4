package rpcbench.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rpcbench.load.Fate;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

class RecorderTest {
  private static final long US = 1_000;
  private static final long SECOND = 1_000_000_000;
  private static final CallException REFUSED = new CallException(Code.UNAVAILABLE, "refused");

  private static Recorder recorder(boolean open) {
    return recorder(3, open, 20);
  }

  static Recorder recorder(int shards, boolean open, int windows) {
    Recorder made = new Recorder(shards);
    made.begin(open, windows);
    return made;
  }

  /** An OK call; a quarter of its lag is queue, the rest wake. */
  private static void took(Recorder r, int slot, long due, long sent, long done) {
    r.record(slot, Fate.ANSWERED, due, sent, done, (sent - due) / 4, (sent - due) * 3 / 4, null);
  }

  private static void failed(Recorder r, int slot, long done, CallException failure) {
    r.record(slot, Fate.ANSWERED, 0, 0, done, 0, 0, failure);
  }

  private static void assertQuantile(long want, Histogram h, double q) {
    assertEquals(want, Histograms.quantile(h, q), want * 0.001);
  }

  @Test
  void everyLatencyHasItsHistogram() {
    Recorder r = recorder(true);
    for (int slot = 0; slot < 100; slot++) {
      took(r, slot, 0, 400 * US, (slot + 1) * 1000 * US);
    }
    r.endWindow(SECOND);
    Summary s = r.summary();
    assertEquals(Set.of("response", "service", "wake", "queue"), s.histograms().keySet());
    assertQuantile(50_000_000, s.histograms().get("response"), 0.5);
    assertQuantile(99_000_000, s.histograms().get("response"), 0.99);
    assertQuantile(49_600_000, s.histograms().get("service"), 0.5);
    assertQuantile(98_600_000, s.histograms().get("service"), 0.99);
    assertQuantile(300_000, s.histograms().get("wake"), 0.5);
    assertQuantile(100_000, s.histograms().get("queue"), 0.99);
  }

  @Test
  void aClosedLoadHasOneLatency() {
    Recorder r = recorder(false);
    took(r, 0, 0, 0, US);
    r.endWindow(SECOND);
    Summary s = r.summary();
    assertEquals(Set.of("response"), s.histograms().keySet());
    assertEquals(1, s.histograms().get("response").getTotalCount());
  }

  @Test
  void failuresAreCountedByCodeWithTheirLatency() {
    Recorder r = recorder(true);
    took(r, 0, 0, 0, US);
    for (int i = 0; i < 3; i++) {
      failed(r, 1, 7 * US, REFUSED);
    }
    failed(r, 1, 7 * US, new CallException(Code.UNAVAILABLE, "refused again"));
    failed(r, 2, 9 * US, new CallException(Code.INTERNAL, "broken"));
    r.endWindow(SECOND);
    Summary s = r.summary();
    assertEquals(
        List.of(
            new Outcome(Code.OK, 1, ""),
            new Outcome(Code.INTERNAL, 1, "INTERNAL: broken"),
            new Outcome(Code.UNAVAILABLE, 4, "UNAVAILABLE: refused")),
        s.outcomes());
    assertEquals(1, s.histograms().get("response").getTotalCount(), "the OK call alone");
    assertEquals(5, s.histograms().get("error").getTotalCount());
    assertQuantile(7000, s.histograms().get("error"), 0.5);
  }

  @Test
  void whatWasNeverAnsweredIsABoundInTheResponse() {
    Recorder r = recorder(true);
    r.record(0, Fate.UNSENT, 0, 0, 3 * SECOND, 0, 0, null);
    r.record(1, Fate.UNFINISHED, SECOND, SECOND, 3 * SECOND, 0, 0, null);
    r.endWindow(SECOND);
    Summary s = r.summary();
    assertEquals(List.of(), s.outcomes());
    assertEquals(List.of(1L, 1L), List.of(s.unsent(), s.unfinished()));
    assertEquals(2, s.histograms().get("response").getTotalCount());
    assertQuantile(2 * SECOND, s.histograms().get("response"), 0.5);
    assertEquals(2, s.histograms().get("bound").getTotalCount());
    assertQuantile(2 * SECOND, s.histograms().get("bound"), 0.5);
    assertEquals(0, s.histograms().get("service").getTotalCount());
  }

  @Test
  void samplesBeyondAnHourAreClampedAndCounted() {
    Recorder r = recorder(false);
    took(r, 0, 0, 0, 2 * 3600 * SECOND);
    took(r, 0, 0, 0, 3600 * SECOND);
    r.endWindow(SECOND);
    Summary s = r.summary();
    assertEquals(1, s.clamped());
    assertQuantile(3600 * SECOND, s.histograms().get("response"), 1);
  }

  @Test
  void tickCountsSinceTheLastTick() {
    Recorder r = recorder(false);
    took(r, 0, 0, 0, US);
    failed(r, 3, US, REFUSED);
    assertEquals(new Counts(1, 1, Math.log(US)), r.tick());
    took(r, 1, 0, 0, US);
    r.record(2, Fate.UNSENT, 0, 0, US, 0, 0, null);
    assertEquals(new Counts(1, 1, Math.log(US)), r.tick());
  }

  @Test
  void aTickHasTheGeometricMeanOfItsResponses() {
    Recorder r = recorder(false);
    took(r, 0, 0, 0, 1_000);
    took(r, 1, 0, 0, 100_000);
    r.record(2, Fate.UNSENT, 0, 0, SECOND, 0, 0, null);
    assertEquals(10_000, r.tick().responseMeanNs());
    took(r, 0, 0, 0, 0);
    took(r, 0, 0, 0, 400);
    assertEquals(20, r.tick().responseMeanNs());
    assertEquals(0, r.tick().responseMeanNs());
    for (int i = 0; i < 1_000; i++) { // more than one product holds
      took(r, 0, 0, 0, i % 2 == 0 ? 1_000 : 100_000);
    }
    assertEquals(10_000, r.tick().responseMeanNs());
  }

  /**
   * 50 windows of one call each are merged into the maximum number: nothing is lost, and the windows are in order without a gap,
   * all but the last of one length.
   */
  @ParameterizedTest
  @CsvSource({"20, 4", "3, 32", "1, 64"})
  void windowsMergeWithTheirNeighbours(int maxWindows, int seconds) {
    Recorder r = recorder(3, false, maxWindows);
    for (int i = 0; i < 50; i++) {
      took(r, i, 0, 0, US);
      assertEquals(1, r.endWindow((i + 1) * SECOND).calls());
    }
    Summary s = r.summary();
    assertEquals((50 + seconds - 1) / seconds, s.windows().size());
    for (int i = 0; i < s.windows().size(); i++) {
      Window w = s.windows().get(i);
      assertEquals(i * seconds * SECOND, w.startNs());
      assertEquals(Math.min((i + 1) * seconds, 50) * SECOND, w.endNs());
      assertEquals((w.endNs() - w.startNs()) / SECOND, w.response().getTotalCount());
    }
    assertEquals(50, s.histograms().get("response").getTotalCount());
  }

  @Test
  void withoutWindowsNoneIsKept() {
    Recorder r = recorder(1, false, 0);
    for (int i = 0; i < 30; i++) {
      took(r, 0, 0, 0, US);
      assertEquals(1, r.endWindow((i + 1) * SECOND).calls());
    }
    assertEquals(List.of(), r.summary().windows());
    assertEquals(30, r.summary().histograms().get("response").getTotalCount());
  }

  @Test
  void arrivalsThatWereNeverSentAreCountedTogether() {
    Recorder r = recorder(true);
    r.unsent(0, 3 * SECOND, 5_000_000);
    r.unsent(0, 2 * 3600 * SECOND, 3);
    assertEquals(new Counts(0, 5_000_003, 0), r.tick());
    assertEquals(5_000_003, r.endWindow(SECOND).calls());
    Summary s = r.summary();
    assertEquals(List.of(5_000_003L, 3L), List.of(s.unsent(), s.clamped()));
    assertQuantile(3 * SECOND, s.histograms().get("response"), 0.9);
    assertEquals(0, s.histograms().get("service").getTotalCount());
  }

  @Test
  void anEmptyWindowHasNoQuantiles() {
    assertEquals(new Quantiles(0, 0, 0, 0, 0), recorder(false).endWindow(SECOND));
  }

  @Test
  void nothingIsLostBetweenRecordAndEndWindow() throws InterruptedException {
    Recorder r = recorder(true);
    List<Thread> slots = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int slot = i;
      slots.add(new Thread(() -> {
        for (int call = 0; call < 10_000; call++) {
          took(r, slot, 0, US, US + call * US);
        }
      }));
    }
    slots.forEach(Thread::start);
    long windows = 0;
    long ticks = 0;
    while (slots.stream().anyMatch(Thread::isAlive)) {
      windows += r.endWindow(SECOND).calls();
      ticks += r.tick().ok();
    }
    for (Thread slot : slots) {
      slot.join();
    }
    windows += r.endWindow(SECOND).calls();
    ticks += r.tick().ok();
    Summary s = r.summary();
    assertEquals(
        List.of(80_000L, 80_000L, 80_000L, 80_000L),
        List.of(windows, ticks, s.outcomes().get(0).calls(), s.histograms().get("queue").getTotalCount()));
  }

  /** A histogram has 270 kB. */
  @Test
  void aPhaseTakesTheHistogramsOfThoseBeforeIt() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Recorder r = recorder(false);
    for (boolean open : new boolean[] {true, false, true}) {
      long before = threads.getCurrentThreadAllocatedBytes();
      r.begin(open, 20);
      for (int i = 0; i < 50; i++) {
        took(r, i, 0, US, 2 * US);
        failed(r, i, US, REFUSED);
        r.endWindow((i + 1) * SECOND);
      }
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      assertTrue(bytes < 200_000, bytes + " bytes");
    }
  }

  /** The histograms of failures come with the first. */
  @Test
  void aSmallOneRecordsTheSame() {
    Recorder small = Recorder.small(2);
    small.begin(false, 0);
    took(small, 0, 0, 0, US);
    small.endWindow(SECOND);
    assertEquals(Set.of("response"), small.summary().histograms().keySet());
    failed(small, 1, 7 * US, REFUSED);
    small.unsent(0, 3 * SECOND, 4);
    small.endWindow(2 * SECOND);
    Summary s = small.summary();
    assertEquals(Set.of("response", "bound", "error"), s.histograms().keySet());
    assertEquals(5, s.histograms().get("response").getTotalCount());
    assertEquals(4, s.histograms().get("bound").getTotalCount());
    assertQuantile(7000, s.histograms().get("error"), 1);
    small.begin(false, 0);
    small.endWindow(SECOND);
    assertEquals(Set.of("response"), small.summary().histograms().keySet());
  }

  @Test
  void aPhaseKnowsNothingOfTheOneBefore() {
    Recorder r = recorder(true);
    took(r, 0, 0, US, 3 * US);
    took(r, 0, 0, US, 2 * 3600 * SECOND);
    failed(r, 1, US, REFUSED);
    r.record(2, Fate.UNSENT, 0, 0, US, 0, 0, null);
    r.record(2, Fate.UNFINISHED, 0, 0, US, 0, 0, null);
    r.tick();
    r.endWindow(SECOND);
    took(r, 0, 0, US, 3 * US); // in a window that does not end
    r.begin(true, 3);
    assertEquals(new Counts(0, 0, 0), r.tick());
    assertEquals(new Quantiles(0, 0, 0, 0, 0), r.endWindow(SECOND));
    Summary s = r.summary();
    assertEquals(List.of(0L, 0L, 0L), List.of(s.unsent(), s.unfinished(), s.clamped()));
    assertEquals(List.of(), s.outcomes());
    assertEquals(Set.of("response", "service", "wake", "queue"), s.histograms().keySet());
    s.histograms().forEach((name, histogram) -> assertEquals(0, histogram.getTotalCount(), name));
    assertEquals(List.of(0L), s.windows().stream().map(Window::startNs).toList());
    failed(r, 1, US, new CallException(Code.UNAVAILABLE, "gone"));
    assertEquals("UNAVAILABLE: gone", r.summary().outcomes().get(0).example());
  }
}
