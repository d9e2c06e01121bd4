package rpcbench.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;
import rpcbench.stack.Kind;

/** A connection's channel, as its calls use it. Safe for concurrent use. */
public final class Link {
  /** The minimum interval between reconnection attempts while calls fail. gRPC by itself would wait up to 120 s. */
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Channel channel;
  private final Runnable reconnect;
  private final UnaryOperator<Status> sent;
  private final CallOptions options;
  private final ClientOptions client;
  private final long deadlineNs; // of every RPC; 0 is none
  private final LongSupplier clock;
  private final AtomicLong retryAt;

  /**
   * Creates a link. reconnect makes a channel in backoff try again. sent returns the status that the server sent, given the one
   * that a listener received. clock is monotonic, in ns from any origin.
   */
  Link(
      Channel channel, Runnable reconnect, UnaryOperator<Status> sent, String compression, ClientOptions client,
      LongSupplier clock) {
    this(
        channel,
        reconnect,
        sent,
        compression.equals("gzip") ? CallOptions.DEFAULT.withCompression("gzip") : CallOptions.DEFAULT,
        client,
        0,
        clock,
        new AtomicLong(clock.getAsLong()));
  }

  private Link(
      Channel channel, Runnable reconnect, UnaryOperator<Status> sent, CallOptions options, ClientOptions client,
      long deadlineNs, LongSupplier clock, AtomicLong retryAt) {
    this.channel = channel;
    this.reconnect = reconnect;
    this.sent = sent;
    this.options = options;
    this.client = client;
    this.deadlineNs = deadlineNs;
    this.clock = clock;
    this.retryAt = retryAt;
  }

  /**
   * Returns the link for the RPCs of a call. Replies larger than replyBytesMax, after decompression, are refused. A stream that
   * calls share outlives them, and so has no deadline.
   */
  Link of(Call call, int replyBytesMax) {
    long deadline = client.sendDeadline() && !Kind.sharesStreams(call.kind()) ? call.deadlineNs() : 0;
    CallOptions own = options.withMaxInboundMessageSize(replyBytesMax);
    if (call.method() != null && !call.method().authority().isEmpty()) {
      own = own.withAuthority(call.method().authority());
    }
    return new Link(channel, reconnect, sent, own, client, deadline, clock, retryAt);
  }

  /** Returns the channel, for stubs that open calls themselves, with options. */
  public Channel channel() {
    return channel;
  }

  /** Returns the options of an RPC that starts now. */
  public CallOptions options() {
    return deadlineNs > 0 ? options.withDeadlineAfter(deadlineNs, TimeUnit.NANOSECONDS) : options;
  }

  /** Returns how our services' messages are represented. */
  public Codec codec() {
    return client.codec();
  }

  <A, B> ClientCall<A, B> open(MethodDescriptor<A, B> method) {
    return channel.newCall(method, options());
  }

  /** Returns the credit with which a call requests its messages. */
  Credit credit(ClientCall<?, ?> call) {
    return new Credit(call, client.prefetchMessages());
  }

  /** Returns the status that the server sent, given the one that a listener received. Must be called by that listener. */
  Status sent(Status reported) {
    return sent.apply(reported);
  }

  /** Is notified of a failed call. If the connection is lost, the channel reconnects. */
  public void failed(CallException failure) {
    if (failure.code() != Code.UNAVAILABLE) {
      return;
    }
    long now = clock.getAsLong();
    long due = retryAt.get();
    if (now - due >= 0 && retryAt.compareAndSet(due, now + RETRY_NS)) {
      reconnect.run();
    }
  }
}
