package rpcbench.grpcjava;

import java.util.concurrent.CountDownLatch;

/** Holds a server's replies back until it is opened. */
final class Gate implements AutoCloseable {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);

  byte[] reply(int bytes) {
    entered.countDown();
    try {
      open.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Calls.reply(bytes);
  }

  /** Waits until a reply is held back. */
  void awaitEntered() throws InterruptedException {
    entered.await();
  }

  @Override
  public void close() {
    open.countDown();
  }
}
