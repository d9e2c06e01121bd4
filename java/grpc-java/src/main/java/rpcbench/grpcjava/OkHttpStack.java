package rpcbench.grpcjava;

import io.grpc.ManagedChannel;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.okhttp.internal.OkHostnameVerifier;
import java.util.List;
import javax.net.ssl.SSLSession;
import rpcbench.credential.KeyRing;
import rpcbench.credential.Keys;
import rpcbench.grpc.Channels;
import rpcbench.grpc.ClientOptions;
import rpcbench.grpc.GrpcConn;
import rpcbench.socket.CountedSockets;
import rpcbench.stack.Address;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Stack;

/**
 * grpc-java-okhttp: a client.
 *
 * <p>It has no option direct_executor: this transport calls back with its lock held, and a load that starts the next
 * call from there, on another connection, could deadlock with another thread that does the same.
 */
public final class OkHttpStack implements Stack {
  private static final Info INFO = Channels.info(
      "grpc-java-okhttp", library(), false, List.of("tcp"),
      List.of(Options.executor(false), Options.window(false, "65535"), Options.keepAlive(false)));

  private final KeyRing<Keys> keys = new KeyRing<>(Keys::of);

  @Override
  public Info info() {
    return INFO;
  }

  static String library() {
    String grpc = OkHttpChannelBuilder.class.getPackage().getImplementationVersion();
    return "io.grpc:grpc-okhttp " + grpc + " (TLS by the JDK)";
  }

  @Override
  public Conn dial(DialConfig config) throws CallException {
    Options options = Options.read(config.options());
    return GrpcConn.open(channel(builder(config), config, options), config, options.client(), GrpcConn.Calls.CALLED_BACK);
  }

  private OkHttpChannelBuilder builder(DialConfig config) throws CallException {
    Address address = Address.parse(config.address());
    OkHttpChannelBuilder builder = OkHttpChannelBuilder.forAddress(address.called(), address.port());
    if (config.tls() == null) {
      return builder.usePlaintext();
    }
    return builder
        .sslSocketFactory(keys.of(config.tls()).context().getSocketFactory())
        .hostnameVerifier((host, session) -> verify(config, host, session))
        .overrideAuthority(config.tls().serverName());
  }

  /** Checks the server's name as the library would. It is called as soon as the handshake is done. */
  private static boolean verify(DialConfig config, String host, SSLSession session) {
    config.wire().secured();
    return config.tls().unverified() || OkHostnameVerifier.INSTANCE.verify(host, session);
  }

  private static ManagedChannel channel(OkHttpChannelBuilder builder, DialConfig config, Options options) {
    Channels.configure(builder, options.client());
    options.configure(builder);
    builder.socketFactory(new CountedSockets(config.wire()));
    if (options.windowBytes() > 0) {
      builder.flowControlWindow(options.windowBytes());
    }
    return builder.build();
  }
}
