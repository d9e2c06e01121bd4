package rpcbench.grpc;

import io.grpc.Grpc;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSession;
import rpcbench.stack.Address;
import rpcbench.stack.CallException;
import rpcbench.stack.Held;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.ServerLimits;

/** A server of both our services, or of others. */
public final class GrpcServer implements rpcbench.stack.Server {
  private final Server server;
  private final String address;

  private GrpcServer(Server server, String address) {
    this.server = server;
    this.address = address;
  }

  /** Adds both services to a builder and starts its server. The builder has the address and the connection limits. */
  public static GrpcServer start(ServerBuilder<?> builder, ServeConfig config) throws IOException, CallException {
    return start(builder, config, ours(config));
  }

  /**
   * Returns both services, for a server without a ServerBuilder. The server itself limits messages and connections.
   *
   * @param sessions returns the TLS session of a call's connection, null without TLS
   */
  public static List<ServerServiceDefinition> services(
      ServeConfig config, Function<ServerCall<?, ?>, SSLSession> sessions) throws CallException {
    return services(config, sessions, ours(config));
  }

  private static List<ServerServiceDefinition> ours(ServeConfig config) throws CallException {
    Held held = new Held(config.limits());
    Generic generic = Generic.of(config, held);
    if (generic != null) {
      return List.of(generic.service());
    }
    BenchmarkService benchmark = new BenchmarkService(config, held);
    boolean bytes = Codec.read(config.options()) == Codec.BYTES;
    return List.of(
        bytes ? new BufferService(benchmark).service() : benchmark.bindService(), new BatchService(config, held).bindService());
  }

  private static List<ServerServiceDefinition> services(
      ServeConfig config, Function<ServerCall<?, ?>, SSLSession> sessions, List<ServerServiceDefinition> services) {
    List<ServerInterceptor> interceptors = interceptors(config, sessions);
    return services.stream()
        .map(each -> ServerInterceptors.interceptForward(each, interceptors))
        .map(service -> config.limits().equals(ServerLimits.NONE) ? service : Refusing.guard(service))
        .collect(Collectors.toList());
  }

  /** Is like start, with other services. */
  public static GrpcServer start(
      ServerBuilder<?> builder, ServeConfig config, List<ServerServiceDefinition> services) throws IOException {
    bound(builder, config.limits());
    services(config, call -> call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION), services).forEach(builder::addService);
    Server server = builder.build().start();
    SocketAddress bound = server.getListenSockets().get(0);
    return new GrpcServer(server, bound instanceof InetSocketAddress tcp ? Address.format(tcp) : config.address());
  }

  private static void bound(ServerBuilder<?> builder, ServerLimits limits) {
    builder.maxInboundMessageSize(limits.request(Limits.MESSAGE_BYTES_MAX));
    builder.maxInboundMetadataSize(ServerLimits.HEADER_BYTES_MAX);
  }

  private static List<ServerInterceptor> interceptors(
      ServeConfig config, Function<ServerCall<?, ?>, SSLSession> sessions) {
    List<ServerInterceptor> interceptors = new ArrayList<>();
    if (config.authorize() != null) {
      interceptors.add(new Authorization(config.authorize(), sessions));
    }
    interceptors.add(new AnswerAlike());
    interceptors.add(MessageCount.FROM_SERVER);
    interceptors.add(MessageCount.BURST);
    return interceptors;
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public void stop(long graceNs) throws InterruptedException {
    try {
      server.shutdown();
      if (!server.awaitTermination(graceNs, TimeUnit.NANOSECONDS)) {
        server.shutdownNow();
        server.awaitTermination(Limits.PATIENCE_NS, TimeUnit.NANOSECONDS);
      }
    } finally {
      server.shutdownNow();
    }
  }
}
