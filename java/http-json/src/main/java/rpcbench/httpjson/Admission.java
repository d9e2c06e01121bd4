package rpcbench.httpjson;

import java.util.concurrent.atomic.AtomicInteger;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Wire;

/** The connections of one server: counted, and bounded in number. */
final class Admission {
  private final ServerLimits limits;
  private final Wire wire;
  private final AtomicInteger open = new AtomicInteger();

  Admission(ServeConfig config) {
    limits = config.limits();
    wire = config.wire();
  }

  Wire wire() {
    return wire;
  }

  /** How long a connection may take for its handshake and first headers; 0 is without end. */
  long headerNs() {
    return limits.headerNs();
  }

  /** Counts a connection that was opened. Returns false where there are too many. */
  boolean opened() {
    wire.opened();
    return open.incrementAndGet() <= limits.connections() || limits.connections() == 0;
  }

  void closed() {
    wire.closed();
    open.decrementAndGet();
  }
}
