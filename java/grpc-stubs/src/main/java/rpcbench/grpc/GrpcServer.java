package rpcbench.grpc;

import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import rpcbench.stack.Address;
import rpcbench.stack.ServeConfig;

/** A server of both services. */
public final class GrpcServer implements rpcbench.stack.Server {
  private final Server server;
  private final String address;

  private GrpcServer(Server server, String address) {
    this.server = server;
    this.address = address;
  }

  /** Starts what a builder makes, which knows where it listens, with the services in it. */
  public static GrpcServer start(ServerBuilder<?> builder, ServeConfig config) throws IOException {
    List<ServerInterceptor> interceptors = interceptors(config);
    builder.maxInboundMessageSize(Limits.MESSAGE_BYTES_MAX);
    builder.addService(ServerInterceptors.interceptForward(new BenchmarkService(config.reply()), interceptors));
    builder.addService(ServerInterceptors.interceptForward(new BatchService(config.reply()), interceptors));
    Server server = builder.build().start();
    SocketAddress bound = server.getListenSockets().get(0);
    return new GrpcServer(server, bound instanceof InetSocketAddress tcp ? Address.format(tcp) : config.address());
  }

  private static List<ServerInterceptor> interceptors(ServeConfig config) {
    List<ServerInterceptor> interceptors = new ArrayList<>();
    if (config.authorize() != null) {
      interceptors.add(new Authorization(config.authorize()));
    }
    interceptors.add(new AnswerAlike());
    interceptors.add(MessageCount.DOWNLOAD);
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
