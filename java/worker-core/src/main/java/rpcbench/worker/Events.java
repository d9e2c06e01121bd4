package rpcbench.worker;

import java.io.IOException;
import java.io.OutputStream;
import rpcbench.stack.CallException;
import rpcbench.worker.v1.Worker.Event;

/** Where Events go, each preceded by its length. Safe for concurrent use. */
final class Events {
  private final OutputStream out;
  private boolean closed;

  Events(OutputStream out) {
    this.out = out;
  }

  synchronized void send(Event event) throws IOException {
    event.writeDelimitedTo(out); // in one write, or two where it is long
    out.flush();
  }

  /** Nobody listens any more: what comes from now on is dropped. */
  synchronized void close() {
    closed = true;
  }

  /** Sends what nobody waits for: when it can't be sent the driver is gone, and the end of the input follows. */
  synchronized void offer(Event event) {
    if (closed) {
      return;
    }
    try {
      send(event);
    } catch (IOException e) {
      System.err.println("an event could not be sent: " + CallException.reason(e));
    }
  }
}
