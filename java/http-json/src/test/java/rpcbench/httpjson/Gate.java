package rpcbench.httpjson;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** Holds a server's replies back until it is opened. */
final class Gate implements AutoCloseable {
  private final Semaphore entered = new Semaphore(0);
  private final CountDownLatch opened = new CountDownLatch(1);

  byte[] reply(int n) {
    entered.release();
    try {
      opened.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Rig.bytes(n);
  }

  /** Waits until this many replies are held back. */
  void awaitEntered(int replies) throws InterruptedException {
    entered.acquire(replies);
  }

  /** Reports whether another reply is held back. */
  boolean hasEntered() {
    return entered.tryAcquire();
  }

  void open() {
    opened.countDown();
  }

  @Override
  public void close() {
    open();
  }
}
