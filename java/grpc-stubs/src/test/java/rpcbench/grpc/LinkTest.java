package rpcbench.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Kind;

/** gRPC by itself would reconnect after a second, and wait longer each time. */
class LinkTest {
  private static final long DEADLINE_NS = 90_000_000_000L;

  private final AtomicLong now = new AtomicLong(-7_000); // any origin will do

  /** A channel whose calls fail on start, and which counts requests to connect at once. */
  private static final class Failing extends ManagedChannel {
    private final Status status;
    private int attempts;
    private boolean sendDeadline;
    private Deadline deadline; // of the last call

    Failing(Status status) {
      this.status = status;
    }

    @Override
    public void resetConnectBackoff() {
      attempts++;
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      deadline = options.getDeadline();
      return new ClientCall<>() {
        @Override
        public void start(Listener<A> listener, Metadata metadata) {
          listener.onClose(status, new Metadata());
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(String message, Throwable cause) {}

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Q message) {}
      };
    }

    @Override
    public String authority() {
      return "nobody";
    }

    @Override
    public ManagedChannel shutdown() {
      return this;
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public ManagedChannel shutdownNow() {
      return this;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return false;
    }
  }

  private Caller caller(Failing channel, String kind) {
    ClientOptions options = new ClientOptions(false, 1, channel.sendDeadline, Codec.PROTO);
    Link link = new Link(channel, channel::resetConnectBackoff, UnaryOperator.identity(), "none", options, now::get);
    Call described = new Call(kind, new byte[1], 1, 0, kind.equals(Kind.PING_PONG) ? 1 : 0, null);
    Rpc<?, ?> rpc = Rpc.of(described, Codec.PROTO);
    link = link.of(rpc.call().withDeadline(DEADLINE_NS), 100);
    return Kind.sharesStreams(kind) ? new Echo<>(link, rpc).caller(0) : new RpcCaller<>(link, rpc, 0);
  }

  private static void call(Caller caller, Code want) throws Exception {
    CompletableFuture<CallException> end = new CompletableFuture<>();
    caller.start(end::complete);
    assertEquals(want, end.get().code());
    assertNull(caller.after());
  }

  @ParameterizedTest
  @ValueSource(strings = {Kind.UNARY, Kind.PING_PONG})
  void aLostConnectionIsTriedAgainAsCallsFailButNotMoreOftenThanEvery50Ms(String kind) throws Exception {
    Failing channel = new Failing(Status.UNAVAILABLE);
    Caller caller = caller(channel, kind);
    for (int attempts = 1; attempts < 10; attempts++) {
      call(caller, Code.UNAVAILABLE);
      assertEquals(attempts, channel.attempts);
      now.addAndGet(49_000_000);
      call(caller, Code.UNAVAILABLE);
      assertEquals(attempts, channel.attempts);
      now.addAndGet(1_000_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Kind.UNARY, Kind.PING_PONG})
  void whatElseFailsHasItsConnection(String kind) throws Exception {
    Failing channel = new Failing(Status.INTERNAL);
    Caller caller = caller(channel, kind);
    for (int i = 0; i < 3; i++) {
      call(caller, Code.INTERNAL);
      now.addAndGet(1_000_000_000);
    }
    assertEquals(0, channel.attempts);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCallHasItsDeadlineWhereTheOptionSaysSoButNoStreamThatOutlivesIt(boolean sends) throws Exception {
    for (String kind : new String[] {Kind.UNARY, Kind.PING_PONG}) {
      Failing channel = new Failing(Status.INTERNAL);
      channel.sendDeadline = sends;
      call(caller(channel, kind), Code.INTERNAL);
      assertEquals(sends && kind.equals(Kind.UNARY), channel.deadline != null, kind);
      if (channel.deadline != null) {
        long left = channel.deadline.timeRemaining(TimeUnit.NANOSECONDS);
        assertTrue(left > 0 && left <= DEADLINE_NS, left + " ns");
      }
    }
  }
}
