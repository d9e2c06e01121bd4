package rpcbench.grpc;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

/** The channel of a connection, as its calls use it. Safe for concurrent use. */
final class Link {
  /** At the most so often is a lost connection tried again, as calls fail. gRPC alone would wait up to 120 s. */
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final ManagedChannel channel;
  private final CallOptions options;
  private final int prefetch;
  private final LongSupplier clock;
  private final AtomicLong retryAt;

  /** Takes how many messages its streams ask for ahead; clock is monotonic, in ns from any origin. */
  Link(ManagedChannel channel, String compression, int prefetch, LongSupplier clock) {
    this(
        channel,
        compression.equals("gzip") ? CallOptions.DEFAULT.withCompression("gzip") : CallOptions.DEFAULT,
        prefetch,
        clock,
        new AtomicLong(clock.getAsLong()));
  }

  private Link(
      ManagedChannel channel, CallOptions options, int prefetch, LongSupplier clock, AtomicLong retryAt) {
    this.channel = channel;
    this.options = options;
    this.prefetch = prefetch;
    this.clock = clock;
    this.retryAt = retryAt;
  }

  /** Returns the link for calls whose replies have at most so many bytes, compressed or not; others are refused. */
  Link bounded(int replyBytesMax) {
    return new Link(
        channel, options.withMaxInboundMessageSize(replyBytesMax), prefetch, clock, retryAt);
  }

  <A, B> ClientCall<A, B> open(MethodDescriptor<A, B> method) {
    return channel.newCall(method, options);
  }

  /** Makes what asks a stream of a call for its messages. */
  Credit credit(ClientCall<?, ?> call) {
    return new Credit(call, prefetch);
  }

  /** Hears of a failed call. Where the connection is gone another is tried. */
  void failed(CallException failure) {
    if (failure.code() != Code.UNAVAILABLE) {
      return;
    }
    long now = clock.getAsLong();
    long due = retryAt.get();
    if (now - due >= 0 && retryAt.compareAndSet(due, now + RETRY_NS)) {
      channel.resetConnectBackoff();
    }
  }
}
