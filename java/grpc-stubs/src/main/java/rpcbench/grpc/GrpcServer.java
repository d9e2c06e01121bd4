package rpcbench.grpcjava;

import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import rpcbench.stack.Address;
import rpcbench.stack.CallException;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;

/** A server of grpc-java-netty. */
final class NettyServing implements Server {
  /** The server ends the connections of clients that ping more often; ours may every Limits.KEEPALIVE_MS_MIN. */
  private static final long PERMITTED_PING_MS = Limits.KEEPALIVE_MS_MIN / 2;

  private final io.grpc.Server server;
  private final String address;

  private NettyServing(io.grpc.Server server, String address) {
    this.server = server;
    this.address = address;
  }

  static NettyServing start(ServeConfig config, Options options) throws CallException, IOException {
    io.grpc.Server server = configure(builder(config), config, options).build().start();
    SocketAddress bound = server.getListenSockets().get(0);
    return new NettyServing(server, bound instanceof InetSocketAddress tcp ? Address.format(tcp) : config.address());
  }

  private static NettyServerBuilder builder(ServeConfig config) throws CallException {
    SocketAddress address = config.network().equals("unix")
        ? new DomainSocketAddress(config.address())
        : Address.parse(config.address()).listening();
    NettyServerBuilder builder = NettyServerBuilder.forAddress(address);
    return config.tls() == null ? builder : builder.sslContext(NettyTls.server(config.tls()));
  }

  private static NettyServerBuilder configure(
      NettyServerBuilder builder, ServeConfig config, Options options) {
    boolean unix = config.network().equals("unix");
    builder.bossEventLoopGroup(Threads.loops(options)).workerEventLoopGroup(Threads.loops(options));
    builder.channelFactory(CountedPipeline.listeners(options.transport(), unix, config.wire()));
    builder.maxInboundMessageSize(Limits.MESSAGE_BYTES_MAX);
    builder.permitKeepAliveTime(PERMITTED_PING_MS, TimeUnit.MILLISECONDS);
    builder.addServices(services(config));
    if (options.direct()) {
      builder.directExecutor();
    } else {
      builder.executor(Threads.ofServer(options));
    }
    if (options.windowBytes() > 0) {
      builder.flowControlWindow(options.windowBytes());
    }
    if (options.keepAliveMs() > 0) {
      builder.keepAliveTime(options.keepAliveMs(), TimeUnit.MILLISECONDS);
    }
    return builder;
  }

  private static List<ServerServiceDefinition> services(ServeConfig config) {
    List<ServerInterceptor> interceptors = new ArrayList<>();
    if (config.authorize() != null) {
      interceptors.add(new Authorization(config.authorize()));
    }
    interceptors.add(new AnswerAlike());
    interceptors.add(MessageCount.DOWNLOAD);
    interceptors.add(MessageCount.BURST);
    return List.of(
        ServerInterceptors.interceptForward(new BenchmarkService(config.reply()), interceptors),
        ServerInterceptors.interceptForward(new BatchService(config.reply()), interceptors));
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
