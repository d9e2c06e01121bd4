package rpcbench.microbench;

import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** Counts the completed calls of a loop and keeps their first failure. Safe for concurrent use. */
final class Tally {
  private final LongAdder completed = new LongAdder();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Duration patience;
  private volatile boolean closed;

  /**
   * Creates a tally.
   *
   * @param patience limits the time without a completion while calls are in flight
   */
  Tally(Duration patience) {
    this.patience = patience;
  }

  void count() {
    completed.increment();
  }

  /** Notes a call that ended unexpectedly. After close that is not a failure, because calls are being canceled. */
  void fail(Throwable cause) {
    if (!closed) {
      failure.compareAndSet(null, cause);
    }
  }

  void failEnded() {
    fail(Status.INTERNAL.withDescription("a stream ended that should go on").asRuntimeException());
  }

  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  /**
   * Sleeps, then waits until at least one call has completed since during was called. Returns how many did.
   *
   * @throws IllegalStateException if a call has failed by then, or none completes in time
   */
  long during(Duration slice) throws InterruptedException {
    long begin = System.nanoTime();
    long before = completed.sum();
    Thread.sleep(slice.toMillis());
    check();
    while (completed.sum() == before) {
      if (System.nanoTime() - begin >= patience.toNanos()) {
        throw new IllegalStateException(
            "the loop has stalled: nothing was completed in " + patience.toMillis() + " ms");
      }
      Thread.sleep(1);
      check();
    }
    return completed.sum() - before;
  }

  private void check() {
    Throwable cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("a call of the loop failed: " + cause.getMessage(), cause);
    }
  }
}
