package rpcbench.record;

import java.util.Arrays;
import rpcbench.stack.Code;

/** What some of the slots recorded. Its methods may be called concurrently. */
final class Shard {
  private final long[] calls = new long[Recorder.CODES]; // by code
  private long lost; // unsent and unfinished
  private double logs; // of OK calls' responses in ns, added up
  private HistogramSet set = new HistogramSet();

  /** Begins a phase, whose load is open or not; nothing of the one before is left. */
  synchronized void begin(boolean open) {
    Arrays.fill(calls, 0);
    lost = 0;
    logs = 0;
    set.begin(open);
  }

  synchronized void add(long dueNs, long sentNs, long doneNs, long queueNs, long wakeNs) {
    calls[0]++;
    logs += Math.log(Math.max(doneNs - dueNs, 1));
    set.add(dueNs, sentNs, doneNs, queueNs, wakeNs);
  }

  synchronized void addBound(long responseNs, long arrivals) {
    lost += arrivals;
    set.addBound(responseNs, arrivals);
  }

  /** Tells whether it is the first of its code here. */
  synchronized boolean addError(Code code, long responseNs) {
    set.addError(responseNs);
    return ++calls[code.ordinal()] == 1;
  }

  synchronized long ok() {
    return calls[0];
  }

  synchronized double logs() {
    return logs;
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
