package rpcbench.host;

import java.util.Map;

/**
 * Sums a figure over all threads so that the sum never decreases: a thread that has ended counts with its last reading. Not safe
 * for concurrent use.
 */
final class ThreadSum {
  private Map<String, Long> living = Map.of();
  private long ended;

  /** Takes the figures of the living threads, by names that later threads may reuse, and returns the sum so far. */
  long with(Map<String, Long> now) {
    living.forEach(
        (name, before) -> {
          Long after = now.get(name);
          if (after == null || after < before) { // less: another thread has its name now
            ended += before;
          }
        });
    living = now;
    return ended + now.values().stream().mapToLong(Long::longValue).sum();
  }
}
