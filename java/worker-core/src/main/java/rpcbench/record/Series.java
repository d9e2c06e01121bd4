package rpcbench.record;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Keeps the windows of a phase of any length in bounded memory: if there are more than maxWindows, neighbors merge and later
 * windows are twice as long. With edges, all windows from one to the next count as one.
 */
final class Series {
  private int maxWindows; // 0 keeps none
  private final ArrayDeque<Histogram> spare = new ArrayDeque<>(); // empty, for windows to come
  private List<Window> kept = new ArrayList<>();
  private long[] edges = {};
  private int passed; // of the edges
  private int width = 1; // how many added windows, or stretches between edges, make a kept one
  private int pending; // how many the last kept one has so far

  /**
   * Begins a phase of at most maxWindows, 0 for none, and discards the previous one. It allocates all its memory at once, unless
   * an earlier phase has. Otherwise the heap would grow second by second and garbage would be collected less and less often, so
   * the stack under test would seem to get cheaper during the phase.
   */
  void begin(int maxWindows, long... edges) {
    this.maxWindows = maxWindows;
    this.edges = edges;
    passed = 0;
    kept.forEach(this::retire);
    kept.clear();
    width = 1;
    pending = 0;
    while (maxWindows > 0 && spare.size() <= maxWindows) {
      spare.push(Histograms.empty());
    }
  }

  private void retire(Window window) {
    window.response().reset();
    spare.push(window.response());
  }

  List<Window> kept() {
    return List.copyOf(kept);
  }

  /** Adds a window, copying its response. An empty window of no length is left out if it is the first. */
  void add(long startNs, long endNs, Histogram response) {
    if (maxWindows == 0 || response.getTotalCount() == 0 && kept.isEmpty() && endNs == startNs) {
      return;
    }
    boolean begins = beginsStretch(startNs);
    if (!begins || pending > 0 && pending < width) {
      int last = kept.size() - 1;
      kept.set(last, joined(kept.get(last), endNs, response));
      pending += begins ? 1 : 0;
      return;
    }
    Histogram copy = spare.pop();
    copy.add(response);
    kept.add(new Window(startNs, endNs, copy));
    pending = 1;
    if (kept.size() > maxWindows) {
      halve();
    }
  }

  /** Reports whether a window begins a stretch, as every window does without edges, and passes the edges before it. */
  private boolean beginsStretch(long startNs) {
    int before = passed;
    while (passed < edges.length && edges[passed] <= startNs) {
      passed++;
    }
    return edges.length == 0 || passed > before || kept.isEmpty();
  }

  private static Window joined(Window window, long endNs, Histogram more) {
    window.response().add(more);
    return new Window(window.startNs(), endNs, window.response());
  }

  /** Merges neighbors. An odd last window waits for its neighbor. */
  private void halve() {
    List<Window> merged = new ArrayList<>();
    for (int i = 0; i + 1 < kept.size(); i += 2) {
      Window next = kept.get(i + 1);
      merged.add(joined(kept.get(i), next.endNs(), next.response()));
      retire(next);
    }
    boolean odd = kept.size() % 2 == 1;
    if (odd) {
      merged.add(kept.get(kept.size() - 1));
    } else {
      pending += width;
    }
    width *= 2;
    kept = merged;
  }
}
