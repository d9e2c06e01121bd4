package rpcbench.record;

import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The histograms of some samples, for one phase after another. A closed load has only responses, bounds and errors.
 */
final class HistogramSet {
  private static final int RESPONSE = 0;
  private static final int SERVICE = 1; // empty in a closed load, as wake and queue
  private static final int WAKE = 2;
  private static final int QUEUE = 3;
  private static final int BOUND = 4; // of arrivals that were never answered; response has them too
  private static final int ERROR = 5;

  /** The names in results. */
  private static final String[] NAMES = {"response", "service", "wake", "queue", "bound", "error"};

  private final Histogram[] all = new Histogram[NAMES.length]; // null before the first sample, unless made ahead
  private boolean open;
  private long clamped; // samples beyond the range, recorded as its end

  /** Makes an empty set; ahead, with all its histograms, otherwise with that of responses. */
  HistogramSet(boolean ahead) {
    for (int i = 0; i < (ahead ? all.length : 1); i++) {
      all[i] = Histograms.empty();
    }
  }

  /** Begins a phase with an open or closed load, and discards the previous one. */
  void begin(boolean open) {
    reset();
    this.open = open;
  }

  long clamped() {
    return clamped;
  }

  Histogram response() {
    return all[RESPONSE];
  }

  /** Records an OK call. */
  void add(long dueNs, long sentNs, long doneNs, long queueNs, long wakeNs) {
    put(RESPONSE, doneNs - dueNs, 1);
    if (open) {
      put(SERVICE, doneNs - sentNs, 1);
      put(WAKE, wakeNs, 1);
      put(QUEUE, queueNs, 1);
    }
  }

  /** Records arrivals that were never answered. */
  void addBound(long responseNs, long arrivals) {
    put(RESPONSE, responseNs, arrivals);
    Histograms.record(of(BOUND), responseNs, arrivals); // clamped is counted once
  }

  /** Records a failed call. */
  void addError(long responseNs) {
    put(ERROR, responseNs, 1);
  }

  private void put(int which, long ns, long times) {
    clamped += Histograms.record(of(which), ns, times);
  }

  private Histogram of(int which) {
    if (all[which] == null) {
      all[which] = Histograms.empty();
    }
    return all[which];
  }

  /** Adds other's samples; both are of the same load. */
  void merge(HistogramSet other) {
    clamped += other.clamped;
    for (int i = 0; i < all.length; i++) {
      if (other.has(i)) {
        of(i).add(other.all[i]);
      }
    }
  }

  private boolean has(int which) {
    return all[which] != null && all[which].getTotalCount() > 0;
  }

  void reset() {
    clamped = 0;
    for (int i = 0; i < all.length; i++) {
      if (has(i)) {
        all[i].reset();
      }
    }
  }

  /** Returns the histograms by their names in results, without those of bounds and errors if there are none. */
  SortedMap<String, Histogram> named() {
    SortedMap<String, Histogram> named = new TreeMap<>();
    for (int i = 0; i < all.length; i++) {
      boolean always = i == RESPONSE || open && i < BOUND;
      if (always || has(i)) {
        named.put(NAMES[i], of(i));
      }
    }
    return named;
  }
}
