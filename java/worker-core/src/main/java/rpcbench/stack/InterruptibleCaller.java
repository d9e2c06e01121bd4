package rpcbench.stack;

import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** A {@link BlockingCaller} whose library ends a call when its thread is interrupted. */
public abstract class InterruptibleCaller extends BlockingCaller {
  private Thread blocked; // makes the call; null when none runs; under this object's lock

  /** Creates a Caller that makes its calls on threads shared by all such Callers. */
  protected InterruptibleCaller() {}

  /** Makes its calls on threads of an executor, which takes each task at once. */
  protected InterruptibleCaller(Executor threads) {
    super(threads);
  }

  /** Makes the call. An interrupt of its thread ends it. */
  protected abstract void exchange() throws CallException, InterruptedException;

  @Override
  protected final void perform() throws CallException {
    synchronized (this) {
      if (isCancelled()) {
        throw new CallException(Code.CANCELLED, "it was cancelled before it began");
      }
      blocked = Thread.currentThread();
    }
    try {
      exchange();
    } catch (InterruptedException e) {
      throw new CallException(Code.CANCELLED, "it was interrupted", e);
    } finally {
      synchronized (this) {
        blocked = null;
        Thread.interrupted(); // an interrupt that came too late is not the next call's
      }
    }
  }

  @Override
  protected final void abort() {
    if (blocked != null) {
      blocked.interrupt();
    }
  }

  /** Ends a pause of the call. It may come at any time. */
  protected final synchronized void wake() {
    LockSupport.unpark(blocked);
  }

  /** Blocks the call until wake, or an interrupt. It may also end for no reason. */
  protected final void pause() throws InterruptedException {
    LockSupport.park(this);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
