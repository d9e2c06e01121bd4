package rpcbench.load;

/** All that a pool has of time and threads; tests put a virtual one in its place. */
interface Time {
  /** Longer than anything lasts, and far enough from the end of the range to be added to. */
  long FOREVER_NS = Long.MAX_VALUE / 4;

  /** A monotonic clock from any origin. */
  long nowNs();

  /** Blocks the pacer as exactly as possible; see {@link Waiter}. */
  void waitNs(long ns);

  /** Blocks the calling thread for that long, or until it is unparked; as LockSupport's it may return for no reason. */
  void parkNs(long ns);

  void unpark(Thread thread);

  /** Starts a thread that does not keep the process alive. */
  Thread start(String name, Runnable work);
}
