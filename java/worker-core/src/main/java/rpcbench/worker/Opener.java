package rpcbench.worker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Kind;

/**
 * Makes connect and first_call out of any stack's dial: a call opens a connection, and completes one empty unary call
 * on it where that is asked for; after closes it.
 *
 * <p>Since dial blocks, a call runs on a thread of the executor, as a program's would, and its time has the hand-over
 * in it. A connection is closed on that thread too, never on one of the library's, which may be needed for the
 * closing.
 */
final class Opener implements Caller {
  private static final byte[] NOTHING = {};

  /** Opens the connection that the call is about. */
  @FunctionalInterface
  interface Dial {
    Conn dial() throws CallException;
  }

  private final Dial dial;
  private final boolean first;
  private final Executor executor;

  private Conn conn; // of the call that after follows
  private Caller inner;

  private final Object lock = new Object();
  private Thread blocked; // runs the call; null before it does, and when none runs
  private boolean cancelled; // the call that was started last

  Opener(Dial dial, boolean first, Executor executor) {
    this.dial = dial;
    this.first = first;
    this.executor = executor;
  }

  @Override
  public void start(Done done) {
    synchronized (lock) {
      cancelled = false;
    }
    executor.execute(() -> done.done(run()));
  }

  private CallException run() {
    synchronized (lock) {
      if (cancelled) {
        return new CallException(Code.CANCELLED, "it was cancelled before it began");
      }
      blocked = Thread.currentThread();
    }
    try {
      conn = dial.dial();
      return first ? call() : null;
    } catch (CallException e) {
      return e;
    } catch (RuntimeException e) {
      return new CallException(Code.INTERNAL, FaultException.reason(e), e);
    } finally {
      synchronized (lock) {
        blocked = null;
        Thread.interrupted(); // an interrupt that came too late is not the next call's
      }
    }
  }

  /** Makes the one call and waits for it. */
  private CallException call() throws CallException {
    inner = conn.caller(new Call(Kind.UNARY, NOTHING, 0, 0, 0, payload -> null), 0);
    CountDownLatch answered = new CountDownLatch(1);
    CallException[] failure = new CallException[1];
    inner.start(
        failed -> {
          failure[0] = failed;
          answered.countDown();
        });
    while (true) {
      try {
        answered.await();
        return failure[0];
      } catch (InterruptedException e) {
        inner.cancel(); // its done still comes
      }
    }
  }

  @Override
  public void cancel() {
    synchronized (lock) {
      cancelled = true;
      if (blocked != null) {
        blocked.interrupt();
      }
    }
  }

  @Override
  public CallException after() {
    CallException wrong = inner == null ? null : inner.after();
    if (conn != null) {
      conn.close();
    }
    conn = null;
    inner = null;
    return wrong;
  }
}
