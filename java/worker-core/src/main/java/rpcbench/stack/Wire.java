package rpcbench.stack;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what goes over a process's sockets: bytes above TCP, TLS and framing in. Every stack reports to it, in the one
 * way that its library has (a handler, a socket factory). Safe for concurrent use.
 */
public final class Wire {
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

  /** A socket was opened (client) or accepted (server): its connection stands, TLS does not yet. */
  public void opened() {
    firstOpenedNs.compareAndSet(0, System.nanoTime());
    opened.incrementAndGet();
    open.incrementAndGet();
    if (whole != null) {
      whole.opened();
    }
  }

  /**
   * The TLS handshake on a client's socket is done. It only takes the first call apart: a stack whose library does not
   * tell never calls it.
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

  /** What it carries is never bytes, so their number is unknown. */
  public void carriesObjects() {
    objects = true;
    if (whole != null) {
      whole.carriesObjects();
    }
  }

  /** Whether {@link #bytesOut} and {@link #bytesIn} say anything. */
  public boolean countsBytes() {
    return !objects;
  }

  /** Sockets so far. */
  public long socketsOpened() {
    return opened.get();
  }

  /** Sockets now. */
  public long socketsOpen() {
    return open.get();
  }

  /** When the first socket was opened, by {@link System#nanoTime}; 0 before. */
  public long firstOpenedNs() {
    return firstOpenedNs.get();
  }

  /** When the first handshake was done, by {@link System#nanoTime}; 0 before, and where nobody tells. */
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
