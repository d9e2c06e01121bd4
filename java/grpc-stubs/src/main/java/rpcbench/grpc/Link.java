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
  private final LongSupplier clock;
  private final AtomicLong retryAt;

  /** clock is monotonic, in ns from any origin. */
  Link(ManagedChannel channel, String compression, LongSupplier clock) {
    this.channel = channel;
    this.options = compression.equals("gzip") ? CallOptions.DEFAULT.withCompression("gzip") : CallOptions.DEFAULT;
    this.clock = clock;
    this.retryAt = new AtomicLong(clock.getAsLong());
  }

  <A, B> ClientCall<A, B> open(MethodDescriptor<A, B> method) {
    return channel.newCall(method, options);
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
