package rpcbench.record;

import java.util.Arrays;
import rpcbench.stack.Code;

/** The records of some slots. Safe for concurrent use. */
final class Shard {
  /** A product of this leaves room for the largest number of nanoseconds. */
  private static final double PRODUCT_MAX = 1e250;

  private final long[] calls = new long[Recorder.CODES]; // by code
  private long lost; // unsent and unfinished
  private double logs; // the sum for OK calls' responses in ns, without those in product
  private double product = 1; // a logarithm for each call would take as long as all the rest
  private HistogramSet set;

  /** Makes an empty shard, whose histograms are made ahead or when they are needed. */
  Shard(boolean ahead) {
    set = new HistogramSet(ahead);
  }

  /** Begins a phase with an open or closed load, and discards the previous one. */
  synchronized void begin(boolean open) {
    Arrays.fill(calls, 0);
    lost = 0;
    logs = 0;
    product = 1;
    set.begin(open);
  }

  synchronized void add(long dueNs, long sentNs, long doneNs, long queueNs, long wakeNs) {
    calls[0]++;
    product *= Math.max(doneNs - dueNs, 1);
    if (product > PRODUCT_MAX) {
      logs += Math.log(product);
      product = 1;
    }
    set.add(dueNs, sentNs, doneNs, queueNs, wakeNs);
  }

  synchronized void addBound(long responseNs, long arrivals) {
    lost += arrivals;
    set.addBound(responseNs, arrivals);
  }

  /** Reports whether it is the first of its code here. */
  synchronized boolean addError(Code code, long responseNs) {
    set.addError(responseNs);
    return ++calls[code.ordinal()] == 1;
  }

  synchronized long ok() {
    return calls[0];
  }

  synchronized double logs() {
    return logs + Math.log(product);
  }

  synchronized long errors() {
    long n = lost;
    for (int code = 1; code < calls.length; code++) {
      n += calls[code];
    }
    return n;
  }

  synchronized long calls(Code code) {
    return calls[code.ordinal()];
  }

  /** Goes on with an empty set, and returns the full one. */
  synchronized HistogramSet swap(HistogramSet empty) {
    HistogramSet full = set;
    set = empty;
    return full;
  }
}
