package rpcbench.worker;

import static rpcbench.worker.Check.refuse;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.worker.v1.Worker.Connect;

/** Streams that are open beside those of calls. Each echoes one message, and is idle from then on until its connection closes. */
final class IdleStreams {
  /** The maximum on one connection. */
  private static final int MAX = 10_000;

  private static final String FIELD = "connect.idle_streams";

  private IdleStreams() {}

  /** Throws a fault that names the field if this worker can't hold them open. */
  static void check(Info info, Connect c) throws FaultException {
    long n = Integer.toUnsignedLong(c.getIdleStreams());
    if (n == 0) {
      return;
    }
    refuse(n > MAX, FIELD, n + " is more than " + MAX);
    refuse(
        !info.multiplexed() || !info.kinds().contains(Kind.PING_PONG),
        FIELD, info.name() + " has no streams that share a connection");
    refuse(Kind.opens(c.getCall().getKind()), FIELD, c.getCall().getKind() + " has no connection that could be shared");
    refuse(RecipeCheck.isForeign(c.getCall()), FIELD, "they are of our own service, and the call is of another");
  }

  /** Opens those of every connection, one after another, each in bounded time. */
  static void open(Iterable<Conn> conns, Connect c) throws FaultException {
    try {
      open(conns, c, () -> new Patience(Limits.DIAL_PATIENCE_NS));
    } catch (CallException e) {
      throw new FaultException(FIELD, "an idle stream could not be opened: " + e.code() + ": " + e.getMessage());
    }
  }

  /** Takes the patience with each stream, for tests. */
  static void open(Iterable<Conn> conns, Connect c, Supplier<Patience> patient) throws CallException {
    for (Conn conn : conns) {
      for (int i = 0; i < c.getIdleStreams(); i++) {
        echo(conn.caller(Calls.idle(c.getCall()), 0), patient);
      }
    }
  }

  private static void echo(Caller caller, Supplier<Patience> patient) throws CallException {
    CountDownLatch answered = new CountDownLatch(1);
    CallException[] failure = new CallException[1];
    caller.start(failed -> {
      failure[0] = failed;
      answered.countDown();
    });
    try {
      await(answered, caller, patient.get());
    } catch (InterruptedException e) {
      caller.cancel();
      Thread.currentThread().interrupt();
      throw new CallException(Code.CANCELLED, "the worker is ending", e);
    }
    CallException wrong = failure[0] == null ? caller.after() : failure[0];
    if (wrong != null) {
      throw wrong;
    }
  }

  private static void await(CountDownLatch answered, Caller caller, Patience patience)
      throws InterruptedException, CallException {
    while (!answered.await(patience.stepNs(), TimeUnit.NANOSECONDS)) {
      if (patience.isOver()) {
        caller.cancel();
        throw new CallException(Code.DEADLINE_EXCEEDED, "an idle stream was not open within " + patience);
      }
    }
  }
}
