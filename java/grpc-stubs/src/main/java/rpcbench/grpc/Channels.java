package rpcbench.grpcjava;

import io.grpc.ManagedChannelBuilder;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** What the channels of both transports have in common. */
final class Channels {
  /** From so many days on gRPC never lets a channel idle, ManagedChannelImplBuilder.IDLE_MODE_MAX_TIMEOUT_DAYS. */
  private static final int NEVER_IDLE_DAYS = 30;

  private Channels() {}

  /** Keeps out what would blur a measurement, and sets what the options say of any channel. */
  static void configure(ManagedChannelBuilder<?> builder, Options options, Executor pool) {
    builder.disableRetry();
    builder.disableServiceConfigLookUp();
    builder.proxyDetector(address -> null);
    builder.idleTimeout(NEVER_IDLE_DAYS, TimeUnit.DAYS);
    builder.maxInboundMessageSize(Limits.MESSAGE_BYTES_MAX);
    if (options.direct()) {
      builder.directExecutor();
    } else if (pool != null) {
      builder.executor(pool);
    }
    if (options.keepAliveMs() > 0) {
      builder.keepAliveTime(options.keepAliveMs(), TimeUnit.MILLISECONDS);
    }
  }
}
