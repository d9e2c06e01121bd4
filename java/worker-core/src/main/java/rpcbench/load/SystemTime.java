package rpcbench.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** The time and the threads of the Java machine. */
record SystemTime(LongSupplier clock, Waiter waiter) implements Time {
  @Override
  public long nowNs() {
    return clock.getAsLong();
  }

  @Override
  public void waitNs(long ns) {
    waiter.waitNs(ns);
  }

  @Override
  public void parkNs(long ns) {
    LockSupport.parkNanos(this, ns);
  }

  @Override
  public void unpark(Thread thread) {
    LockSupport.unpark(thread);
  }

  @Override
  public Thread start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
