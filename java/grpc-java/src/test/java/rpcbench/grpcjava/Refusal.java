package rpcbench.grpcjava;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts connections and closes them at once, and counts them. */
final class Refusal implements Closeable {
  private final AtomicInteger attempts = new AtomicInteger();
  private final ServerSocket listener;

  Refusal(int port) throws IOException {
    listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::accept, "refusal");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        listener.accept().close();
        attempts.incrementAndGet();
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  int attempts() {
    return attempts.get();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
