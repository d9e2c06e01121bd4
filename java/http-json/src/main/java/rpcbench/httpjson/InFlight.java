package rpcbench.httpjson;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the calls that a server is at. */
final class InFlight {
  private final AtomicInteger calls = new AtomicInteger();

  void begin() {
    calls.incrementAndGet();
  }

  void end() {
    if (calls.decrementAndGet() == 0) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** Waits until there is none, for at most ns nanoseconds. */
  synchronized void awaitNone(long ns) throws InterruptedException {
    long until = System.nanoTime() + ns;
    while (calls.get() > 0) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }
}
