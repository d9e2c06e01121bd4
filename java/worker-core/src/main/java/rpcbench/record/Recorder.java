package rpcbench.record;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.HdrHistogram.Histogram;
import rpcbench.load.Fate;
import rpcbench.load.Sink;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

/**
 * The Sink of one phase after another. record may be called concurrently with everything; the other methods are for one thread.
 * Its memory is allocated when it is created, so that no phase pays for it, except for windows beyond those of earlier phases and
 * what a small one allocates later. It does not grow during a phase.
 */
public final class Recorder implements Sink {
  private static final Code[] ALL = Code.values();
  static final int CODES = ALL.length;

  private final Shard[] shards;
  private final HistogramSet window; // the shards' merged content when the last window ended
  private final HistogramSet total;
  private final Series series = new Series();
  private final AtomicReferenceArray<String> examples = new AtomicReferenceArray<>(CODES); // by code
  private final AtomicLong unsent = new AtomicLong();
  private final AtomicLong unfinished = new AtomicLong();
  private HistogramSet spare; // empty, to be swapped in
  private long windowNs; // when the open window began
  private Counts seen = new Counts(0, 0, 0); // by the last tick

  /** Creates a recorder with that many shards; twice the processors is plenty. Each phase starts with begin. */
  public Recorder(int shards) {
    this(shards, true);
  }

  private Recorder(int shards, boolean ahead) {
    this.shards = new Shard[shards];
    for (int i = 0; i < this.shards.length; i++) {
      this.shards[i] = new Shard(ahead);
    }
    window = new HistogramSet(ahead);
    total = new HistogramSet(ahead);
    spare = new HistogramSet(ahead);
  }

  /**
   * Creates a recorder of closed loads, of which there may be many: the histograms of failures, of which most have none, are
   * allocated with the first.
   */
  public static Recorder small(int shards) {
    return new Recorder(shards, false);
  }

  /**
   * Begins a phase, when nothing more of the previous one is recorded. The previous summary is lost.
   *
   * @param open keeps service, wake and queue in addition to response
   * @param windows the maximum number of window histograms to keep; 0 keeps none
   * @param edges where the load changes, in order. Kept windows then begin only at edges
   */
  public void begin(boolean open, int windows, long... edges) {
    for (Shard shard : shards) {
      shard.begin(open);
    }
    window.begin(open);
    total.begin(open);
    spare.begin(open);
    series.begin(windows, edges);
    for (int code = 0; code < CODES; code++) {
      examples.set(code, null);
    }
    unsent.set(0);
    unfinished.set(0);
    windowNs = 0;
    seen = new Counts(0, 0, 0);
  }

  /**
   * Takes a sample. It costs an uncontended lock and one histogram entry, four in an open load, and allocates for the
   * first error of a code only.
   */
  @Override
  public void record(
      int slot, Fate fate, long dueNs, long sentNs, long doneNs, long queueNs, long wakeNs, CallException failure) {
    Shard shard = shards[slot % shards.length];
    if (fate != Fate.ANSWERED) {
      shard.addBound(doneNs - dueNs, 1);
      (fate == Fate.UNSENT ? unsent : unfinished).incrementAndGet();
    } else if (failure == null) {
      shard.add(dueNs, sentNs, doneNs, queueNs, wakeNs);
    } else {
      recordError(shard, doneNs - dueNs, failure);
    }
  }

  @Override
  public void unsent(long dueNs, long doneNs, long arrivals) {
    shards[0].addBound(doneNs - dueNs, arrivals);
    unsent.addAndGet(arrivals);
  }

  /** Records a failed call in a separate histogram. */
  private void recordError(Shard shard, long responseNs, CallException failure) {
    Code code = failure.code();
    if (shard.addError(code, responseNs)) {
      examples.compareAndSet(code.ordinal(), null, code + ": " + failure.getMessage());
    }
  }

  /** Returns what was done since the previous tick. */
  public Counts tick() {
    long ok = 0;
    long errors = 0;
    double logs = 0;
    for (Shard shard : shards) {
      ok += shard.ok();
      errors += shard.errors();
      logs += shard.logs();
    }
    Counts since = new Counts(ok - seen.ok(), errors - seen.errors(), logs - seen.logs());
    seen = new Counts(ok, errors, logs);
    return since;
  }

  /** Closes the window that began when the last one ended, or with the phase, and sums up its responses. */
  public Quantiles endWindow(long endNs) {
    window.reset();
    for (Shard shard : shards) {
      HistogramSet full = shard.swap(spare);
      window.merge(full);
      full.reset();
      spare = full;
    }
    Quantiles sum = Quantiles.of(window.response());
    series.add(windowNs, endNs, window.response());
    total.merge(window);
    windowNs = endNs;
    return sum;
  }

  /** The responses of the window that was closed last, good until the next is. */
  public Histogram lastWindow() {
    return window.response();
  }

  /**
   * Sums up the windows that have ended: call it after the last endWindow, when nothing is recorded any more. It shows the
   * recorder's own histograms, until the next phase.
   */
  public Summary summary() {
    return new Summary(outcomes(), unsent.get(), unfinished.get(), total.clamped(), total.named(), series.kept());
  }

  private List<Outcome> outcomes() {
    List<Outcome> outcomes = new ArrayList<>();
    for (Code code : ALL) {
      long calls = 0;
      for (Shard shard : shards) {
        calls += shard.calls(code);
      }
      if (calls > 0) {
        String example = examples.get(code.ordinal());
        outcomes.add(new Outcome(code, calls, example == null ? "" : example));
      }
    }
    return outcomes;
  }
}
