package rpcbench.record;

import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** The histograms of some samples. A closed load has a response only; errors have their own when there are some. */
final class HistogramSet {
  final Histogram response = Histograms.empty();
  private final Histogram service; // null in a closed load, as wake and queue
  private final Histogram wake;
  private final Histogram queue;
  private Histogram errors; // null before the first error
  private long clamped; // samples beyond the range, recorded as its end

  HistogramSet(boolean open) {
    service = open ? Histograms.empty() : null;
    wake = open ? Histograms.empty() : null;
    queue = open ? Histograms.empty() : null;
  }

  long clamped() {
    return clamped;
  }

  /** Takes an OK call. */
  void add(long dueNs, long sentNs, long doneNs, long queueNs, long wakeNs) {
    put(response, doneNs - dueNs);
    if (service != null) {
      put(service, doneNs - sentNs);
      put(wake, wakeNs);
      put(queue, queueNs);
    }
  }

  /** Takes an arrival that was never answered. */
  void addBound(long responseNs) {
    put(response, responseNs);
  }

  /** Takes a failed call. */
  void addError(long responseNs) {
    if (errors == null) {
      errors = Histograms.empty();
    }
    put(errors, responseNs);
  }

  private void put(Histogram h, long ns) {
    if (ns >= 0 && ns <= Histograms.HIGHEST_NS) {
      h.recordValue(ns);
      return;
    }
    clamped++;
    h.recordValue(ns < 0 ? 0 : Histograms.HIGHEST_NS);
  }

  /** Adds other's samples; both are of the same load. */
  void merge(HistogramSet other) {
    clamped += other.clamped;
    response.add(other.response);
    if (service != null) {
      service.add(other.service);
      wake.add(other.wake);
      queue.add(other.queue);
    }
    if (other.errors != null && other.errors.getTotalCount() > 0) {
      if (errors == null) {
        errors = Histograms.empty();
      }
      errors.add(other.errors);
    }
  }

  void reset() {
    clamped = 0;
    reset(response);
    reset(service);
    reset(wake);
    reset(queue);
    reset(errors);
  }

  private static void reset(Histogram h) {
    if (h != null && h.getTotalCount() > 0) {
      h.reset();
    }
  }

  /** The histograms that there are by their names in results. */
  SortedMap<String, Histogram> named() {
    SortedMap<String, Histogram> named = new TreeMap<>();
    named.put("response", response);
    if (service != null) {
      named.put("service", service);
      named.put("wake", wake);
      named.put("queue", queue);
    }
    if (errors != null) {
      named.put("error", errors);
    }
    return named;
  }
}
