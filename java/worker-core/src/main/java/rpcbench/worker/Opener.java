package rpcbench.worker;

import java.util.concurrent.CountDownLatch;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Conn;
import rpcbench.stack.InterruptibleCaller;
import rpcbench.stack.Kind;

/**
 * Makes connect and first_call from any stack's dial, which blocks: a call opens a connection, and completes one empty unary call
 * on it for first_call; after closes it. A connection is closed on the thread that opened it, never on one of the library's,
 * which may be needed for closing.
 */
final class Opener extends InterruptibleCaller {
  private static final byte[] NOTHING = {};

  /** Opens the connection that the call is about. */
  @FunctionalInterface
  interface Dial {
    Conn dial() throws CallException;
  }

  private final Dial dial;
  private final Call first; // that is made on the connection; null makes none

  private Conn conn; // of the call that after follows
  private Caller inner;

  Opener(Dial dial, Call first) {
    this.dial = dial;
    this.first = first;
  }

  /** Makes the Caller of a connect or first_call. */
  static Opener of(Call call, Dial dial) {
    Call empty = new Call(Kind.UNARY, NOTHING, 0, 0, 0, payload -> null).withDeadline(call.deadlineNs());
    return new Opener(dial, call.kind().equals(Kind.FIRST_CALL) ? empty : null);
  }

  @Override
  protected void exchange() throws CallException {
    conn = dial.dial();
    if (first != null) {
      call(conn);
    }
  }

  /** Makes the one call and waits for it. */
  private void call(Conn conn) throws CallException {
    inner = conn.caller(first, 0);
    CountDownLatch answered = new CountDownLatch(1);
    CallException[] failure = new CallException[1];
    inner.start(
        failed -> {
          failure[0] = failed;
          answered.countDown();
        });
    await(answered);
    if (failure[0] != null) {
      throw failure[0];
    }
  }

  private void await(CountDownLatch answered) {
    while (true) {
      try {
        answered.await();
        return;
      } catch (InterruptedException e) {
        inner.cancel(); // its done still comes
      }
    }
  }

  @Override
  public void late() {} // its calls carry the same

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
