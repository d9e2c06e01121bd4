package rpcbench.httpjson;

import java.util.concurrent.atomic.AtomicInteger;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Wire;

/** Counts and limits the connections of one server. */
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

  /** Returns the time limit for a connection's handshake and first headers; 0 is no limit. */
  long headerNs() {
    return limits.headerNs();
  }

  /** Counts an opened connection. Returns false if there are too many. */
  boolean opened() {
    wire.opened();
    return open.incrementAndGet() <= limits.connections() || limits.connections() == 0;
  }

  void closed() {
    wire.closed();
    open.decrementAndGet();
  }
}
