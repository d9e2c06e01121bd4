package rpcbench.worker;

import com.google.protobuf.ByteString;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import rpcbench.load.SlotPool;
import rpcbench.record.Counts;
import rpcbench.record.Histograms;
import rpcbench.record.Recorder;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Interval;
import rpcbench.worker.v1.Worker.Quantiles;

/** Sends the Intervals of one phase. */
final class Reporter {
  /** How long an interval is, unless told otherwise. */
  static final long INTERVAL_NS = 100_000_000;

  private static final long WINDOW_NS = 1_000_000_000;

  /** Waits for a latch for at most ns, and returns whether it is open; tests replace it by virtual time. */
  @FunctionalInterface
  interface Waiting {
    boolean await(CountDownLatch latch, long ns) throws InterruptedException;
  }

  private final SlotPool pool;
  private final Recorder recorder;
  private final Events events;
  private final boolean histograms; // sends those of the quantiles, too
  private final long lengthNs; // of an interval
  private final long[] edges; // where a window ends, in addition to each second
  private int edge; // of these, that is next
  private final LongSupplier clock; // monotonic, from any origin
  private final Waiting waiting;
  private final CountDownLatch over = new CountDownLatch(1);
  private final CountDownLatch reported = new CountDownLatch(1);
  private long begunNs;
  private long intervalNs; // when the open one began, since the phase
  private long windowNs;

  Reporter(SlotPool pool, Recorder recorder, Events events, Begin begin, long[] edges) {
    this(
        pool,
        recorder,
        events,
        begin.getIntervalHistograms(),
        BeginCheck.intervalNs(begin),
        edges,
        System::nanoTime,
        (latch, ns) -> latch.await(ns, TimeUnit.NANOSECONDS));
  }

  Reporter(
      SlotPool pool,
      Recorder recorder,
      Events events,
      boolean histograms,
      long lengthNs,
      long[] edges,
      LongSupplier clock,
      Waiting waiting) {
    this.pool = pool;
    this.recorder = recorder;
    this.events = events;
    this.histograms = histograms;
    this.lengthNs = lengthNs;
    this.edges = edges;
    this.clock = clock;
    this.waiting = waiting;
  }

  void begin() {
    begunNs = clock.getAsLong();
    Threads.start("rpcbench-intervals", this::report);
  }

  /** Sends the last interval, when nothing is recorded any more. */
  void end() throws InterruptedException {
    over.countDown();
    reported.await();
    tick(true);
  }

  private void report() {
    try {
      long due = lengthNs;
      while (!waiting.await(over, Math.min(due, edgeNs()) - nowNs())) {
        if (edgeNs() <= nowNs()) {
          due = edgeNs();
          edge++;
          tick(true);
        } else if (edgeNs() - due >= lengthNs / 2) { // otherwise it is part of the edge's interval
          tick(false);
        }
        do { // one that is overdue is lost: the next interval is longer
          due += lengthNs;
        } while (due <= nowNs());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // never happens
    } finally {
      reported.countDown();
    }
  }

  /** The next edge; forever after the last. */
  private long edgeNs() {
    return edge < edges.length ? edges[edge] : Long.MAX_VALUE;
  }

  private long nowNs() {
    return clock.getAsLong() - begunNs;
  }

  /** Sends the interval since the last tick, with quantiles if a second is full or a window ends. */
  private void tick(boolean ends) {
    Counts counts = recorder.tick();
    long now = nowNs(); // after the counts, so that all that they count was done by then
    Interval.Builder interval =
        Interval.newBuilder()
            .setStartNs(intervalNs)
            .setEndNs(now)
            .setOk(counts.ok())
            .setErrors(counts.errors())
            .setInFlight(pool.inFlight())
            .setResponseMeanNs(counts.responseMeanNs());
    if (ends || now - windowNs >= WINDOW_NS - lengthNs / 2) {
      interval.setResponse(quantiles(recorder.endWindow(now)));
      if (histograms) {
        interval.setResponseHistogram(ByteString.copyFrom(Histograms.encode(recorder.lastWindow())));
      }
      windowNs = now;
    }
    intervalNs = now;
    events.offer(Event.newBuilder().setInterval(interval).build());
  }

  private static Quantiles quantiles(rpcbench.record.Quantiles q) {
    return Quantiles.newBuilder()
        .setCalls(q.calls())
        .setP50Ns(q.p50Ns())
        .setP90Ns(q.p90Ns())
        .setP99Ns(q.p99Ns())
        .setMaxNs(q.maxNs())
        .build();
  }
}
