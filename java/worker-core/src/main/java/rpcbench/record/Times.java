package rpcbench.record;

import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import rpcbench.stack.MessageTime;

/**
 * Histograms of times that are no calls', of several sorts: of messages within calls. Memory is bounded, and is taken for the
 * sorts that come. They live over phases. Safe for concurrent use.
 */
public final class Times {
  private static final int SORTS = MessageTime.values().length;

  private final Shard[] shards;

  private static final class Shard {
    private final Histogram[] sorts = new Histogram[SORTS]; // null before the first time
    private long clamped;

    synchronized void record(int sort, long ns) {
      if (sorts[sort] == null) {
        sorts[sort] = Histograms.empty();
      }
      clamped += Histograms.record(sorts[sort], ns, 1);
    }

    synchronized long drain(Histogram[] sums) {
      for (int sort = 0; sort < SORTS; sort++) {
        Histogram full = sorts[sort];
        if (full == null || full.getTotalCount() == 0) {
          continue;
        }
        if (sums[sort] == null) {
          sums[sort] = Histograms.empty();
        }
        sums[sort].add(full);
        full.reset();
      }
      long were = clamped;
      clamped = 0;
      return were;
    }
  }

  /** The histograms by name, without empty ones, and the number of times beyond their range. */
  public record Taken(Map<String, Histogram> histograms, long clamped) {}

  /** Creates empty histograms in that many shards. */
  public Times(int shards) {
    this.shards = new Shard[shards];
    for (int i = 0; i < shards; i++) {
      this.shards[i] = new Shard();
    }
  }

  /** Records one time. Concurrent callers should use different slots. */
  public void record(int slot, MessageTime of, long ns) {
    shards[slot % shards.length].record(of.ordinal(), ns);
  }

  /** Returns what was recorded, and starts again. */
  public Taken take() {
    Histogram[] sums = new Histogram[SORTS];
    long clamped = 0;
    for (Shard shard : shards) {
      clamped += shard.drain(sums);
    }
    Map<String, Histogram> named = new TreeMap<>();
    for (MessageTime of : MessageTime.values()) {
      if (sums[of.ordinal()] != null) {
        named.put(of.histogram(), sums[of.ordinal()]);
      }
    }
    return new Taken(named, clamped);
  }
}
