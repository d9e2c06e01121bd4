package rpcbench.worker;

import java.io.IOException;
import java.io.OutputStream;
import rpcbench.stack.CallException;
import rpcbench.worker.v1.Worker.Event;

/** Sends Events, each preceded by its length. Safe for concurrent use. */
final class Events {
  private final OutputStream out;
  private boolean closed;

  Events(OutputStream out) {
    this.out = out;
  }

  synchronized void send(Event event) throws IOException {
    event.writeDelimitedTo(out); // in one write, or two if it is long
    out.flush();
  }

  /** Closes the output: the driver is gone, and later events are dropped. */
  synchronized void close() {
    closed = true;
  }

  /** Sends an event and ignores failures: if it can't be sent, the driver is gone, and the end of the input follows. */
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
