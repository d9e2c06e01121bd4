package rpcbench.grpcjava;

import io.grpc.ManagedChannel;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import rpcbench.grpc.Channels;
import rpcbench.grpc.ClientOptions;
import rpcbench.grpc.Codec;
import rpcbench.grpc.Generic;
import rpcbench.grpc.GrpcConn;
import rpcbench.grpc.GrpcServer;
import rpcbench.netty.EventLoops;
import rpcbench.stack.Address;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Stack;

/** grpc-java-netty, a client and a server. Subclasses make or answer calls differently. */
public class NettyStack implements Stack {
  private static final Info INFO = Channels.info(
      "grpc-java-netty", library(), true, networks(),
      List.of(
          Options.TRANSPORT, Options.DIRECT, Options.executor(true),
          Options.window(true, "1048576, and growing"), EventLoops.OPTION, Options.OWN_LOOPS, Options.keepAlive(true),
          Codec.option(true), Generic.INFO));

  static {
    Logs.quieten();
  }

  private final Info info;
  private final Executor answering; // null: by the options
  private final GrpcConn.Calls calls;
  private final NettyTls tls = new NettyTls();

  public NettyStack() {
    this(INFO, null, GrpcConn.Calls.CALLED_BACK);
  }

  /** Creates a stack whose services run on the executor answering. */
  protected NettyStack(Info info, Executor answering, GrpcConn.Calls calls) {
    this.info = info;
    this.answering = answering;
    this.calls = calls;
  }

  @Override
  public Info info() {
    return info;
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
    Options options = options(config.network(), config.options());
    return GrpcServer.start(builder(config, options), config);
  }

  /** Starts a server with other services, for tests that bring their own. */
  public Server serveOther(ServeConfig config, List<ServerServiceDefinition> services) throws Exception {
    Options options = options(config.network(), config.options());
    return GrpcServer.start(builder(config, options), config, services);
  }

  private NettyServerBuilder builder(ServeConfig config, Options options) throws CallException {
    boolean unix = config.network().equals("unix");
    SocketAddress address =
        unix ? new DomainSocketAddress(config.address()) : Address.parse(config.address()).listening();
    NettyServerBuilder builder = NettyServerBuilder.forAddress(address);
    if (config.tls() != null) {
      builder.sslContext(NettyTls.server(config.tls()));
    }
    builder.bossEventLoopGroup(Threads.loops(options)).workerEventLoopGroup(Threads.loops(options));
    builder.channelFactory(Sockets.listeners(options.transport(), unix, config.wire(), config.limits()));
    if (config.limits().headerNs() > 0) {
      builder.handshakeTimeout(config.limits().headerNs(), TimeUnit.NANOSECONDS);
    }
    if (config.limits().streams() > 0) {
      builder.maxConcurrentCallsPerConnection(config.limits().streams());
    }
    options.configure(builder);
    if (answering != null) {
      builder.executor(answering);
    }
    if (options.windowBytes() > 0) {
      builder.flowControlWindow(options.windowBytes());
    }
    return builder;
  }

  @Override
  public Conn dial(DialConfig config) throws CallException {
    Options options = options(config.network(), config.options());
    if (options.ownLoops()) {
      return OwnLoops.dial(Threads.ownLoops(options), loops -> connect(config, options, loops));
    }
    return connect(config, options, Threads.loops(options));
  }

  private Conn connect(DialConfig config, Options options, EventLoopGroup loops) throws CallException {
    return GrpcConn.open(channel(builder(config), config, options, loops), config, options.client(), calls);
  }

  private static Options options(String network, Map<String, String> given) throws CallException {
    Options options = Options.read(given);
    if (network.equals("unix") && options.transport() != Transport.EPOLL) {
      throw CallException.invalid("network unix needs the transport epoll");
    }
    return options;
  }

  private NettyChannelBuilder builder(DialConfig config) throws CallException {
    NettyChannelBuilder builder = builderFor(config);
    return config.tls() == null
        ? builder.usePlaintext()
        : builder.sslContext(tls.client(config.tls())).overrideAuthority(config.tls().serverName());
  }

  private static NettyChannelBuilder builderFor(DialConfig config) throws CallException {
    if (config.network().equals("unix")) { // a path is not an authority
      return NettyChannelBuilder.forAddress(new DomainSocketAddress(config.address())).overrideAuthority("localhost");
    }
    Address address = Address.parse(config.address());
    return NettyChannelBuilder.forAddress(address.called(), address.port());
  }

  private static ManagedChannel channel(
      NettyChannelBuilder builder, DialConfig config, Options options, EventLoopGroup loops) {
    boolean unix = config.network().equals("unix");
    Channels.configure(builder, options.client());
    options.configure(builder);
    builder.eventLoopGroup(loops);
    builder.channelFactory(Sockets.of(options.transport(), unix, config.wire(), config.tls() != null));
    if (options.windowBytes() > 0) {
      builder.flowControlWindow(options.windowBytes());
    }
    return builder.build();
  }
}
