package rpcbench.httpjson;

import java.io.IOException;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;

/** A Caller of a library whose calls block. */
abstract class BlockingCaller implements Caller {
  private Done done;
  private CallException failure;
  private boolean running; // this and the next are under this object's lock
  private boolean cancelled;

  /** Makes the call. An IOException means that the server could not be reached, or was lost. */
  abstract void perform() throws CallException, IOException;

  /** Ends what {@link #perform} waits for, or will wait for. It is called under this object's lock, and never waits. */
  abstract void abort();

  @Override
  public final void start(Done done) {
    synchronized (this) {
      this.done = done;
      failure = null;
      cancelled = false;
      running = true;
    }
    try {
      CallThread.begin(this);
    } catch (OutOfMemoryError e) {
      failure = new CallException(Code.RESOURCE_EXHAUSTED, "there is no thread for the call: " + e.getMessage());
      end();
    }
  }

  @Override
  public final synchronized void cancel() {
    if (running) {
      cancelled = true;
      abort();
    }
  }

  /** Whether the running call is to end. */
  final synchronized boolean isCancelled() {
    return cancelled;
  }

  /** Whether a call runs; only to be asked under this object's lock. */
  final boolean isRunning() {
    return running;
  }

  /** Makes the call that was started, on a thread that may block. */
  final void call() {
    try {
      perform();
    } catch (CallException e) {
      failure = e;
    } catch (IOException e) {
      failure = new CallException(Code.UNAVAILABLE, describe(e), e);
    } catch (RuntimeException e) { // the library's; the slot must not be lost over it
      failure = new CallException(Code.UNKNOWN, describe(e), e);
    }
  }

  /** Tells of the call's end. Whatever a library says of a call that was cancelled, it is CANCELLED. */
  final void end() {
    Done hears;
    synchronized (this) {
      running = false;
      if (cancelled && failure != null) {
        failure = new CallException(Code.CANCELLED, failure.getMessage(), failure.getCause());
      }
      hears = done;
    }
    hears.done(failure);
  }

  private static String describe(Exception e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
