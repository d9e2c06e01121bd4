package rpcbench.worker;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import rpcbench.stack.CallException;
import rpcbench.worker.v1.Worker.Command;

/** Reads commands on its own thread, so that the end of the input is noticed while one is carried out. */
final class Inbox {
  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();

  /** A command; or the end, if both are null; or why the input broke off. */
  private record Received(Command command, IOException broken) {}

  /** Reads in. At its end calls onEnd, with the reason if it broke off, otherwise null. */
  Inbox(InputStream in, Consumer<IOException> onEnd) {
    Threads.start("rpcbench-commands", () -> read(in, onEnd));
  }

  private void read(InputStream in, Consumer<IOException> onEnd) {
    Received last = new Received(null, null);
    try {
      for (Command command = Command.parseDelimitedFrom(in);
          command != null;
          command = Command.parseDelimitedFrom(in)) {
        received.add(new Received(command, null));
      }
    } catch (IOException e) {
      last = new Received(null, new IOException("read a command: " + CallException.reason(e), e));
    }
    received.add(last);
    onEnd.accept(last.broken());
  }

  /** The next command; null after the last. */
  Command next() throws IOException, InterruptedException {
    Received next = received.take();
    if (next.broken() != null) {
      throw next.broken();
    }
    return next.command();
  }
}
