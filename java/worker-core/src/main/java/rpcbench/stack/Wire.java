package rpcbench.stack;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the traffic of a process's sockets: bytes above TCP, including TLS and framing. Every stack reports to it, by the means
 * of its library (a handler, a socket factory). Safe for concurrent use.
 */
public final class Wire {
  private static final long CLOSING_POLL_NS = 1_000_000;

  private final Wire whole; // null counts for itself
  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong open = new AtomicLong();
  private final LongAdder out = new LongAdder();
  private final LongAdder in = new LongAdder();
  private final AtomicLong firstOpenedNs = new AtomicLong();
  private final AtomicLong firstSecuredNs = new AtomicLong();
  private volatile boolean objects;

  public Wire() {
    this(null);
  }

  /** Counts a part of a whole, which counts it too. */
  public Wire(Wire whole) {
    this.whole = whole;
  }

  /** Reports that a socket was opened (client) or accepted (server): it is connected, before TLS. */
  public void opened() {
    firstOpenedNs.compareAndSet(0, System.nanoTime());
    opened.incrementAndGet();
    open.incrementAndGet();
    if (whole != null) {
      whole.opened();
    }
  }

  /**
   * Reports that the TLS handshake on a client's socket is done. It only serves to divide the first call into parts: a stack
   * whose library does not report it never calls this.
   */
  public void secured() {
    firstSecuredNs.compareAndSet(0, System.nanoTime());
  }

  /** A socket was closed. */
  public void closed() {
    open.decrementAndGet();
    if (whole != null) {
      whole.closed();
    }
  }

  public void sent(long bytes) {
    out.add(bytes);
    if (whole != null) {
      whole.sent(bytes);
    }
  }

  public void received(long bytes) {
    in.add(bytes);
    if (whole != null) {
      whole.received(bytes);
    }
  }

  /** Reports that objects are carried instead of bytes, whose number is then unknown. */
  public void carriesObjects() {
    objects = true;
    if (whole != null) {
      whole.carriesObjects();
    }
  }

  /** Reports whether {@link #bytesOut} and {@link #bytesIn} are known. */
  public boolean countsBytes() {
    return !objects;
  }

  /** Returns the number of sockets so far. */
  public long socketsOpened() {
    return opened.get();
  }

  /** Sockets now. */
  public long socketsOpen() {
    return open.get();
  }

  /**
   * Waits until no socket is open.
   *
   * @return how many still are after patienceNs, or when the thread is interrupted
   */
  public long awaitClosed(long patienceNs) {
    long begunNs = System.nanoTime();
    while (open.get() > 0 && System.nanoTime() - begunNs < patienceNs && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(CLOSING_POLL_NS);
    }
    return open.get();
  }

  /** When the first socket was opened, by {@link System#nanoTime}; 0 before. */
  public long firstOpenedNs() {
    return firstOpenedNs.get();
  }

  /** Returns when the first handshake was done, by {@link System#nanoTime}; 0 before, and if the stack does not report it. */
  public long firstSecuredNs() {
    return firstSecuredNs.get();
  }

  public long bytesOut() {
    return out.sum();
  }

  public long bytesIn() {
    return in.sum();
  }
}
