package rpcbench.grpc;

import io.grpc.ManagedChannelBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;

/** Describes gRPC stacks and configures their channels, in the ways that all of them share. */
public final class Channels {
  /**
   * With an idle timeout of this many days or more, gRPC channels never idle
   * (ManagedChannelImplBuilder.IDLE_MODE_MAX_TIMEOUT_DAYS).
   */
  private static final int NEVER_IDLE_DAYS = 30;

  /** The kinds that channels of every transport support. */
  public static final List<String> KINDS = List.of(
      Kind.CONNECT, Kind.FIRST_CALL, Kind.UNARY, Kind.STREAM, Kind.PING_PONG, Kind.BURST, Kind.UPLOAD, Kind.DOWNLOAD,
      Kind.BOTH_WAYS);

  private Channels() {}

  /** Describes a stack with clients that supports all kinds. */
  public static Info info(
      String name, String library, boolean serves, List<String> networks, List<Info.Option> options) {
    List<Info.Option> all = new ArrayList<>(options);
    all.addAll(ClientOptions.INFO);
    return info(name, library, serves, KINDS, networks, all, true);
  }

  /** Describes a stack that lacks some kinds, some of {@link ClientOptions#INFO}, or own methods. */
  public static Info info(
      String name, String library, boolean serves, List<String> kinds, List<String> networks, List<Info.Option> options,
      boolean methods) {
    return new Info(
        name, "grpc", library, serves, true, kinds, networks, List.of("plaintext", "tls", "mtls"),
        List.of("none", "gzip"), true, List.copyOf(options), List.of(), List.of(), methods).drawing(true, true);
  }

  /** Describes a server that supports all kinds. */
  public static Info server(
      String name, String library, List<String> networks, List<Info.Option> options, List<Info.Deviation> deviations) {
    return new Info(
        name, "grpc", library, true, false, KINDS, networks, List.of("plaintext", "tls", "mtls"), List.of("none", "gzip"),
        true, options, List.of(), List.of(), false, deviations).drawing(false, true);
  }

  /** Turns off what would distort a measurement. */
  public static void configure(ManagedChannelBuilder<?> builder, ClientOptions options) {
    if (!options.retry()) {
      builder.disableRetry();
    }
    builder.disableServiceConfigLookUp();
    builder.proxyDetector(address -> null);
    builder.idleTimeout(NEVER_IDLE_DAYS, TimeUnit.DAYS);
    builder.maxInboundMessageSize(Limits.MESSAGE_BYTES_MAX);
  }
}
