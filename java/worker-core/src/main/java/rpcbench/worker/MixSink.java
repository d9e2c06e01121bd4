package rpcbench.worker;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import rpcbench.load.Fate;
import rpcbench.load.Sink;
import rpcbench.record.Recorder;
import rpcbench.record.Summary;
import rpcbench.stack.CallException;

/** Records every call of a mix twice: among all of them, and among those of its recipe. */
final class MixSink implements Sink {
  /** Few slots record the same recipe at the same moment. */
  private static final int SHARDS = 2;

  private final Recorder whole;
  private final List<Recorder> each;
  private final List<Sink> sinks;

  MixSink(Recorder whole, int calls) {
    this.whole = whole;
    this.each = Stream.generate(() -> Recorder.small(SHARDS)).limit(calls).collect(Collectors.toList());
    this.sinks = each.stream().map(one -> (Sink) new Both(whole, one)).collect(Collectors.toList());
  }

  /** Begins a phase, after the whole's recorder has begun it. */
  void begin() {
    each.forEach(one -> one.begin(false, 0));
  }

  /** Sums up the calls of each recipe, when nothing is recorded any more. */
  List<Summary> summaries() {
    return each.stream().map(MixSink::summary).collect(Collectors.toList());
  }

  private static Summary summary(Recorder one) {
    one.endWindow(0);
    return one.summary();
  }

  @Override
  public Sink of(int which) {
    return sinks.get(which);
  }

  @Override
  public void record(
      int slot, Fate fate, long dueNs, long sentNs, long doneNs, long queueNs, long wakeNs, CallException failure) {
    whole.record(slot, fate, dueNs, sentNs, doneNs, queueNs, wakeNs, failure);
  }

  private record Both(Recorder whole, Recorder one) implements Sink {
    @Override
    public void record(
        int slot, Fate fate, long dueNs, long sentNs, long doneNs, long queueNs, long wakeNs, CallException failure) {
      whole.record(slot, fate, dueNs, sentNs, doneNs, queueNs, wakeNs, failure);
      one.record(slot, fate, dueNs, sentNs, doneNs, queueNs, wakeNs, failure);
    }

    @Override
    public void unsent(long dueNs, long doneNs, long arrivals) {
      whole.unsent(dueNs, doneNs, arrivals);
      one.unsent(dueNs, doneNs, arrivals);
    }
  }
}
