package rpcbench.httpjson;

import java.util.concurrent.CountDownLatch;

/** Holds a server's replies back until it is opened. */
final class Gate implements AutoCloseable {
  final CountDownLatch entered;
  private final CountDownLatch opened = new CountDownLatch(1);

  /** entered counts down with each reply that is held back. */
  Gate(int calls) {
    entered = new CountDownLatch(calls);
  }

  byte[] reply(int n) {
    entered.countDown();
    try {
      opened.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Rig.bytes(n);
  }

  void open() {
    opened.countDown();
  }

  @Override
  public void close() {
    open();
  }
}
