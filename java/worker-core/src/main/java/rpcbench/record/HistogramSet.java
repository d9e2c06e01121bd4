package rpcbench.record;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The histograms of some samples, for one phase after another. A closed load has only responses, bounds and errors.
 */
final class HistogramSet {
  final Histogram response = Histograms.empty();
  private final Histogram service = Histograms.empty(); // empty in a closed load, as wake and queue
  private final Histogram wake = Histograms.empty();
  private final Histogram queue = Histograms.empty();
  private final Histogram bounds = Histograms.empty(); // of arrivals that were never answered; response has them too
  private final Histogram errors = Histograms.empty();
  private final List<Histogram> all = List.of(response, service, wake, queue, bounds, errors);
  private boolean open;
  private long clamped; // samples beyond the range, recorded as its end

  /** Begins a phase with an open or closed load, and discards the previous one. */
  void begin(boolean open) {
    reset();
    this.open = open;
  }

  long clamped() {
    return clamped;
  }

  /** Records an OK call. */
  void add(long dueNs, long sentNs, long doneNs, long queueNs, long wakeNs) {
    put(response, doneNs - dueNs, 1);
    if (open) {
      put(service, doneNs - sentNs, 1);
      put(wake, wakeNs, 1);
      put(queue, queueNs, 1);
    }
  }

  /** Records arrivals that were never answered. */
  void addBound(long responseNs, long arrivals) {
    put(response, responseNs, arrivals);
    Histograms.record(bounds, responseNs, arrivals); // clamped is counted once
  }

  /** Records a failed call. */
  void addError(long responseNs) {
    put(errors, responseNs, 1);
  }

  private void put(Histogram h, long ns, long times) {
    clamped += Histograms.record(h, ns, times);
  }

  /** Adds other's samples; both are of the same load. */
  void merge(HistogramSet other) {
    clamped += other.clamped;
    for (int i = 0; i < all.size(); i++) {
      Histogram more = other.all.get(i);
      if (more.getTotalCount() > 0) {
        all.get(i).add(more);
      }
    }
  }

  void reset() {
    clamped = 0;
    for (Histogram h : all) {
      if (h.getTotalCount() > 0) {
        h.reset();
      }
    }
  }

  /** Returns the histograms by their names in results, without those of bounds and errors if there are none. */
  SortedMap<String, Histogram> named() {
    SortedMap<String, Histogram> named = new TreeMap<>();
    named.put("response", response);
    if (open) {
      named.put("service", service);
      named.put("wake", wake);
      named.put("queue", queue);
    }
    if (bounds.getTotalCount() > 0) {
      named.put("bound", bounds);
    }
    if (errors.getTotalCount() > 0) {
      named.put("error", errors);
    }
    return named;
  }
}
