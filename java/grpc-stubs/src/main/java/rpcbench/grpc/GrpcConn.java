package rpcbench.grpc;

import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.stub.ClientCalls;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Kind;

/** A connection that is one channel. */
public final class GrpcConn implements Conn {
  private final Runnable close;
  private final Link link;
  private final Calls calls;
  private boolean unconnected; // until the channel's first call
  private Echo<?, ?>[] echoes = {}; // of the ping_pong or burst whose Callers are being created

  /** Creates the Callers of RPCs: of all kinds but connect, first_call, ping_pong and burst. */
  @FunctionalInterface
  public interface Calls {
    /** Calls with callbacks, as asynchronous stubs make them. */
    Calls CALLED_BACK = (link, call, slot) ->
        call.method() == null
            ? new RpcCaller<>(link, Rpc.of(call, link.codec()), slot)
            : new MethodCaller(link, MethodRpc.of(call));

    Caller caller(Link link, Call call, int slot);
  }

  private GrpcConn(Link link, Runnable close, Calls calls) {
    this.link = link;
    this.close = close;
    this.calls = calls;
  }

  /**
   * Creates a connection from a channel that connects on its first call. close closes the channel. sent returns the status that
   * the server sent, given the one that a listener received.
   */
  public static GrpcConn of(
      Channel channel, Runnable close, UnaryOperator<Status> sent, DialConfig config, ClientOptions options, Calls calls) {
    Link link = new Link(channel, () -> {}, sent, config.compression(), options, System::nanoTime);
    GrpcConn conn = new GrpcConn(link, close, calls);
    conn.unconnected = true;
    return conn;
  }

  /** Makes an empty call and ignores its outcome. */
  @Override
  public void ready() throws CallException {
    if (!unconnected) {
      return;
    }
    try {
      call(link.channel());
    } catch (StatusRuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new CallException(Code.CANCELLED, "the connection was closed", e);
      }
    }
  }

  private static void call(Channel channel) {
    CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(Limits.PATIENCE_NS, TimeUnit.NANOSECONDS);
    ClientCalls.blockingUnaryCall(
        channel, BenchmarkServiceGrpc.getUnaryCallMethod(), soon, SimpleRequest.getDefaultInstance());
  }

  /** Connects a channel, and returns when it is ready: after the exchange of HTTP/2 settings. */
  public static GrpcConn open(
      ManagedChannel channel, DialConfig config, ClientOptions options, Calls calls) throws CallException {
    try {
      connect(channel);
    } catch (CallException e) {
      close(channel);
      throw e;
    }
    Link link = new Link(
        channel, channel::resetConnectBackoff, UnaryOperator.identity(), config.compression(), options, System::nanoTime);
    return new GrpcConn(link, () -> close(channel), calls);
  }

  private static void connect(ManagedChannel channel) throws CallException {
    long end = System.nanoTime() + Limits.PATIENCE_NS;
    for (ConnectivityState state = channel.getState(true); state != READY; state = channel.getState(true)) {
      if (state == TRANSIENT_FAILURE) {
        refused(channel);
        channel.resetConnectBackoff();
      }
      CountDownLatch changed = new CountDownLatch(1);
      channel.notifyWhenStateChanged(state, changed::countDown);
      await(changed, end - System.nanoTime());
    }
  }

  private static void await(CountDownLatch changed, long ns) throws CallException {
    try {
      if (!changed.await(ns, TimeUnit.NANOSECONDS)) {
        throw new CallException(Code.DEADLINE_EXCEEDED, "the connection was not ready in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallException(Code.CANCELLED, "the connection was closed", e);
    }
  }

  /**
   * Makes a call to learn why there is no connection; only a call's error says so. It may succeed after all, and a library that
   * lacked a thread has to try again.
   */
  private static void refused(ManagedChannel channel) throws CallException {
    try {
      call(channel);
    } catch (StatusRuntimeException e) {
      if (!lackedThread(e.getStatus())) {
        throw Failure.of(e.getStatus());
      }
    }
  }

  /**
   * Reports whether a transport gave up because one of its threads did not run within a second, as on a machine that is
   * overloaded (OkHttpClientTransport.start). That says nothing of the server.
   */
  private static boolean lackedThread(Status status) {
    String why = status.getDescription();
    return why != null && why.startsWith("Timed out waiting for second handshake thread");
  }

  @Override
  public Caller caller(Call call, int slot) throws CallException {
    if (Kind.sharesStreams(call.kind())) {
      return onStream(call, slot);
    }
    Link own = link.of(call, Limits.reply(call));
    return calls.caller(own, call, slot);
  }

  /** Slots are created in order: slot 0 starts a new call. */
  private Caller onStream(Call call, int slot) {
    if (slot == 0 || echoes.length != call.streams()) {
      Streaming<?, ?> rpc = call.method() == null ? Rpc.of(call, link.codec()) : MethodRpc.of(call);
      echoes = new Echo<?, ?>[call.streams()];
      for (int i = 0; i < echoes.length; i++) {
        echoes[i] = new Echo<>(link.of(call, Limits.reply(call)), rpc);
      }
    }
    return echoes[slot % echoes.length].caller(slot);
  }

  @Override
  public void close() {
    close.run();
  }

  private static void close(ManagedChannel channel) {
    channel.shutdownNow();
    try {
      channel.awaitTermination(Limits.PATIENCE_NS, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
