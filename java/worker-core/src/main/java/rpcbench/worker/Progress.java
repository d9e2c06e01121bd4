package rpcbench.worker;

import rpcbench.stack.Wire;

/** How far a connection came that is being opened while no other one is used. Its toString says so in a clause. */
final class Progress {
  private final Wire wire;
  private final long opened;
  private final long secured;
  private final long received;

  /** Begins before the connection is opened. */
  Progress(Wire wire) {
    this.wire = wire;
    this.opened = wire.socketsOpened();
    this.secured = wire.firstSecuredNs();
    this.received = wire.bytesIn();
  }

  @Override
  public String toString() {
    if (wire.socketsOpened() == opened) {
      return "no socket was connected";
    }
    String connected = "a socket was connected";
    if (wire.firstSecuredNs() != secured) { // only the first handshake is known
      connected += ", TLS was ready";
    }
    if (!wire.countsBytes()) {
      return connected;
    }
    long bytes = wire.bytesIn() - received;
    return connected + ", and the server sent " + (bytes == 0 ? "nothing" : bytes + " bytes");
  }
}
