package rpcbench.grpcjava;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.Channel;
import io.netty.channel.unix.DomainSocketAddress;
import java.util.List;
import rpcbench.stack.Address;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Stack;

/** grpc-java-netty: client and server. */
public final class NettyStack implements Stack {
  static final List<String> KINDS = List.of(
      Kind.CONNECT, Kind.FIRST_CALL, Kind.UNARY, Kind.STREAM, Kind.PING_PONG, Kind.BURST, Kind.UPLOAD, Kind.DOWNLOAD);
  static final List<String> SECURITIES = List.of("plaintext", "tls", "mtls");
  static final List<String> COMPRESSIONS = List.of("none", "gzip");

  private static final Info INFO = new Info(
      "grpc-java-netty", "grpc", library(), true, true, KINDS, networks(), SECURITIES, COMPRESSIONS, true,
      List.of(
          Options.TRANSPORT_OPTION, Options.DIRECT_OPTION, Options.executor(true),
          Options.window(true, "1048576, and growing"), Options.LOOPS_OPTION, Options.keepAlive(true)),
      List.of(), List.of());

  static {
    Logs.quieten();
  }

  private final NettyTls tls = new NettyTls();

  @Override
  public Info info() {
    return INFO;
  }

  private static String library() {
    String grpc = NettyChannelBuilder.class.getPackage().getImplementationVersion();
    String netty = Channel.class.getPackage().getImplementationVersion();
    return "io.grpc:grpc-netty " + grpc + " (Netty " + netty + ", TLS by " + NettyTls.provider() + ")";
  }

  private static List<String> networks() {
    return Transport.EPOLL.available() ? List.of("tcp", "unix") : List.of("tcp");
  }

  @Override
  public Server serve(ServeConfig config) throws Exception {
    Options options = Options.read(config.options());
    checkNetwork(config.network(), options);
    return NettyServing.start(config, options);
  }

  @Override
  public Conn dial(DialConfig config) throws CallException {
    Options options = Options.read(config.options());
    checkNetwork(config.network(), options);
    NettyChannelBuilder builder = builder(config);
    return GrpcConn.open(channel(builder, config, options), config);
  }

  private static void checkNetwork(String network, Options options) throws CallException {
    if (network.equals("unix") && options.transport() != Transport.EPOLL) {
      throw CallException.invalid("network unix needs the transport epoll");
    }
  }

  private NettyChannelBuilder builder(DialConfig config) throws CallException {
    NettyChannelBuilder builder = builderFor(config);
    return config.tls() == null
        ? builder.usePlaintext()
        : builder.sslContext(tls.client(config.tls())).overrideAuthority(config.tls().serverName());
  }

  private static NettyChannelBuilder builderFor(DialConfig config) throws CallException {
    if (config.network().equals("unix")) { // a path is no authority
      return NettyChannelBuilder.forAddress(new DomainSocketAddress(config.address())).overrideAuthority("localhost");
    }
    Address address = Address.parse(config.address());
    return NettyChannelBuilder.forAddress(address.called(), address.port());
  }

  private static ManagedChannel channel(NettyChannelBuilder builder, DialConfig config, Options options) {
    boolean unix = config.network().equals("unix");
    Channels.configure(builder, options, Threads.ofClient(options));
    builder.eventLoopGroup(Threads.loops(options));
    builder.channelFactory(CountedPipeline.sockets(options.transport(), unix, config.wire(), config.tls() != null));
    if (options.windowBytes() > 0) {
      builder.flowControlWindow(options.windowBytes());
    }
    return builder.build();
  }
}
