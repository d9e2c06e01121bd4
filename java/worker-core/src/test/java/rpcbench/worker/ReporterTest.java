package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import rpcbench.load.Fate;
import rpcbench.load.SlotPool;
import rpcbench.record.Decoded;
import rpcbench.record.Recorder;
import rpcbench.record.Window;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Interval;

class ReporterTest {
  private static final long MS = 1_000_000;
  private static final long REST_MS = 30;

  private final Recorder recorder = new Recorder(1);

  /**
   * A time in which the waits are late by these times, one after another, with a call in each. The wait after them is cut short
   * by the end of the phase, with one more call.
   */
  private final class Script {
    private final long[] latenessMs;
    private int waits;
    private long now = 7_000; // no origin is special

    Script(long... latenessMs) {
      this.latenessMs = latenessMs;
    }

    long nowNs() {
      return now;
    }

    boolean await(CountDownLatch latch, long ns) {
      recorder.record(0, Fate.ANSWERED, 0, 0, MS, 0, 0, null);
      boolean over = waits == latenessMs.length;
      now += over ? REST_MS * MS : ns + latenessMs[waits++] * MS;
      return over;
    }
  }

  private List<Interval> report(Script script) throws Exception {
    return report(script, 100);
  }

  private List<Interval> report(Script script, long lengthMs, long... edges) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    recorder.begin(false, 20, edges);
    SlotPool idle = new SlotPool(List.of(), script::nowNs, ns -> {}, MS);
    Reporter reporter = new Reporter(idle, recorder, new Events(out), true, lengthMs * MS, edges, script::nowNs, script::await);
    reporter.begin();
    reporter.end();
    List<Interval> intervals = new ArrayList<>();
    InputStream in = new ByteArrayInputStream(out.toByteArray());
    for (Event event = Event.parseDelimitedFrom(in); event != null; event = Event.parseDelimitedFrom(in)) {
      intervals.add(event.getInterval());
    }
    return intervals;
  }

  /** Checks that the intervals follow one another, with one call each, and returns when each ended. */
  private static List<Long> endsMs(List<Interval> intervals) {
    long end = 0;
    List<Long> ends = new ArrayList<>();
    for (Interval interval : intervals) {
      assertEquals(List.of(end, 1L), List.of(interval.getStartNs(), interval.getOk()));
      end = interval.getEndNs();
      ends.add(end / MS);
    }
    return ends;
  }

  @Test
  void thereIsAnIntervalEvery100Ms() throws Exception {
    List<Long> ends = endsMs(report(new Script(0, 0, 0, 0, 0)));
    assertEquals(List.of(100L, 200L, 300L, 400L, 500L, 530L), ends);
  }

  @Test
  void anIntervalIsAsLongAsAskedFor() throws Exception {
    List<Interval> intervals = report(new Script(new long[21]), 50);
    assertEquals(List.of(50L, 100L, 150L), endsMs(intervals).subList(0, 3));
    assertEquals(
        List.of(1000L, 1080L),
        intervals.stream().filter(Interval::hasResponse).map(i -> i.getEndNs() / MS).toList());
  }

  @Test
  void aLateIntervalIsLongerAndTheNextOnesAreOnTime() throws Exception {
    List<Long> ends = endsMs(report(new Script(0, 30, 250, 0, 0)));
    assertEquals(List.of(100L, 230L, 550L, 600L, 700L, 730L), ends);
  }

  /** An hour is sent second by second, in messages of a bounded size, and nothing of it is kept. */
  @Test
  void anHourIsSentAsItGoes() throws Exception {
    List<Interval> intervals = report(new Script(new long[36_000]));
    long calls = 0;
    long seconds = 0;
    int longest = 0;
    for (Interval interval : intervals) {
      longest = Math.max(longest, interval.getSerializedSize());
      if (interval.hasResponse()) {
        seconds++;
        calls += Decoded.of(interval.getResponseHistogram().toByteArray()).getTotalCount();
      }
    }
    assertEquals(List.of(36_001L, 3601L), List.of(calls, seconds));
    assertTrue(longest < 1000, longest + " bytes");
    assertTrue(recorder.summary().windows().size() <= 20, "windows kept");
  }

  @Test
  void everySecondHasQuantilesAndAWindow() throws Exception {
    List<Interval> intervals = report(new Script(new long[25]));
    List<Interval> full = intervals.stream().filter(Interval::hasResponse).toList();
    assertEquals(List.of(1000L, 2000L, 2530L), full.stream().map(i -> i.getEndNs() / MS).toList());
    assertEquals(List.of(10L, 10L, 6L), full.stream().map(i -> i.getResponse().getCalls()).toList());
    List<Window> windows = recorder.summary().windows();
    assertEquals(List.of(1000L, 2000L, 2530L), windows.stream().map(w -> w.endNs() / MS).toList());
    for (Interval interval : full) {
      Histogram h = Decoded.of(interval.getResponseHistogram().toByteArray());
      assertEquals(interval.getResponse().getCalls(), h.getTotalCount());
    }
  }

  /**
   * An interval that would end just before an edge ends at the edge. Intervals then count from there, and its window has
   * quantiles.
   */
  @Test
  void anEdgeEndsAnIntervalAndAWindow() throws Exception {
    List<Interval> intervals = report(new Script(0, 0, 0, 0, 0), 100, 130 * MS, 250 * MS);
    assertEquals(List.of(130L, 250L, 350L, 380L), intervals.stream().map(each -> each.getEndNs() / MS).toList());
    assertEquals(List.of(2L, 2L, 1L, 1L), intervals.stream().map(Interval::getOk).toList());
    assertEquals(
        List.of(2L, 2L, 0L, 2L), intervals.stream().map(each -> each.getResponse().getCalls()).toList());
    assertEquals(
        List.of(130L, 250L, 380L), recorder.summary().windows().stream().map(each -> each.endNs() / MS).toList());
  }
}
