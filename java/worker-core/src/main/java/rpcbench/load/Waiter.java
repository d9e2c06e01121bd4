package rpcbench.load;

/** Blocks the pacer. It is used by one thread at a time. */
@FunctionalInterface
public interface Waiter {
  /** Blocks for about that long. It may return early, never much later: the lateness is charged to wake. */
  void waitNs(long ns);
}
