package rpcbench.grpcjava;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.ServerTransportFilter;
import io.grpc.TlsServerCredentials;
import io.grpc.okhttp.OkHttpServerBuilder;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ServerSocketFactory;
import rpcbench.credential.KeyRing;
import rpcbench.credential.Keys;
import rpcbench.grpc.Channels;
import rpcbench.grpc.Codec;
import rpcbench.grpc.Generic;
import rpcbench.grpc.GrpcServer;
import rpcbench.socket.CountedListener;
import rpcbench.stack.Address;
import rpcbench.stack.Code;
import rpcbench.stack.Info;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Stack;

/** grpc-java-okhttp-server, a server. Each connection has a reader thread. */
public final class OkHttpServerStack implements Stack {
  /** HTTP/2's client preface and the header of its SETTINGS frame: RFC 9113, sections 3.4 and 4.1. */
  private static final int PREFACE_BYTES = 24 + 9;

  private static final Info INFO = Channels.server(
      "grpc-java-okhttp-server", OkHttpStack.library(), List.of("tcp"),
      Stream.of(Options.executor(true), Options.window(true, "65535"), Options.keepAlive(true), Codec.option(true), Generic.INFO)
          .map(Info.Option::ofServer)
          .toList(),
      List.of(new Info.Deviation(
          Info.Deviation.REQUEST_BYTES, Code.INTERNAL,
          "The library resets the stream of an uncompressed message above the limit (OkHttpServerStream.deframeFailed).")));

  static {
    Logs.quieten();
  }

  private final KeyRing<Keys> ring = new KeyRing<>(Keys::of);

  @Override
  public Info info() {
    return INFO;
  }

  @Override
  public Server serve(ServeConfig config) throws Exception {
    Options options = Options.read(config.options());
    CountedListener listener = new CountedListener(config, PREFACE_BYTES);
    OkHttpServerBuilder builder = OkHttpServerBuilder
        .forPort(Address.parse(config.address()).listening(), credentials(config, ring.of(config.tls())))
        .socketFactory(only(listener))
        .addTransportFilter(telling(listener));
    options.configure(builder);
    if (config.limits().streams() > 0) {
      builder.maxConcurrentCallsPerConnection(config.limits().streams());
    }
    if (options.windowBytes() > 0) {
      builder.flowControlWindow(options.windowBytes());
    }
    return GrpcServer.start(builder, config);
  }

  private static ServerCredentials credentials(ServeConfig config, Keys keys) {
    if (keys == null) {
      return InsecureServerCredentials.create();
    }
    TlsServerCredentials.Builder credentials = TlsServerCredentials.newBuilder().keyManager(keys.own().getKeyManagers());
    if (config.tls().mutual()) {
      credentials.trustManager(keys.trusted().getTrustManagers()).clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
    }
    return credentials.build();
  }

  /** Returns a factory that always returns this listener, which the library binds. */
  private static ServerSocketFactory only(ServerSocket listener) {
    return new ServerSocketFactory() {
      @Override
      public ServerSocket createServerSocket() {
        return listener;
      }

      @Override
      public ServerSocket createServerSocket(int port) {
        throw new UnsupportedOperationException();
      }

      @Override
      public ServerSocket createServerSocket(int port, int backlog) {
        throw new UnsupportedOperationException();
      }

      @Override
      public ServerSocket createServerSocket(int port, int backlog, InetAddress at) {
        throw new UnsupportedOperationException();
      }
    };
  }

  private static ServerTransportFilter telling(CountedListener listener) {
    return new ServerTransportFilter() {
      @Override
      public Attributes transportReady(Attributes connection) {
        listener.ready(connection.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
        return connection;
      }
    };
  }
}
