package rpcbench.stack;

import java.io.IOException;
import java.util.concurrent.Executor;

/**
 * A Caller of a library whose calls block: each is made on a thread that may wait, and counts as sent when that thread
 * begins with it.
 */
public abstract class BlockingCaller implements Caller {
  private final Executor threads;
  private Done done;
  private CallException failure;
  private boolean running; // this and the next are under this object's lock
  private boolean cancelled;

  /** Creates a Caller that makes its calls on threads shared by all such Callers. */
  protected BlockingCaller() {
    this(CallLoop.THREADS);
  }

  /** Creates a Caller that makes its calls on threads of an executor, which starts each task at once. */
  protected BlockingCaller(Executor threads) {
    this.threads = threads;
  }

  /** Makes the call. An IOException means that the server could not be reached, or was lost. */
  protected abstract void perform() throws CallException, IOException;

  /** Ends the wait of {@link #perform}, now or later. It is called under this object's lock, and must not block. */
  protected abstract void abort();

  @Override
  public final void start(Done done) {
    synchronized (this) {
      this.done = done;
      failure = null;
      cancelled = false;
      running = true;
    }
    try {
      CallLoop.begin(this, threads);
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

  /** Reports whether the running call should end. */
  protected final synchronized boolean isCancelled() {
    return cancelled;
  }

  /** Reports whether a call is running. Call it only under this object's lock. */
  protected final boolean isRunning() {
    return running;
  }

  /** Makes the started call, on a thread that may block. */
  final void call() {
    done.sent();
    try {
      perform();
    } catch (CallException e) {
      failure = e;
    } catch (IOException e) {
      failure = new CallException(Code.UNAVAILABLE, CallException.reason(e), e);
    } catch (OutOfMemoryError e) {
      failure = new CallException(Code.RESOURCE_EXHAUSTED, CallException.reason(e), e);
    } catch (RuntimeException | Error e) { // by the library; the slot must not be lost over it
      failure = new CallException(Code.INTERNAL, CallException.reason(e), e);
    }
  }

  /** Reports the call's end. A failure of a canceled call is CANCELLED, whatever the library reports. */
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
}
