package rpcbench.armeria;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.ClientFactoryOptions;
import com.linecorp.armeria.client.Endpoint;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.Version;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.grpc.GrpcServiceBuilder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import rpcbench.credential.KeyRing;
import rpcbench.credential.Keys;
import rpcbench.grpc.Channels;
import rpcbench.grpc.ClientOptions;
import rpcbench.grpc.Codec;
import rpcbench.grpc.Generic;
import rpcbench.grpc.GrpcConn;
import rpcbench.grpc.GrpcServer;
import rpcbench.grpc.Limits;
import rpcbench.netty.CountedPipeline;
import rpcbench.netty.EventLoops;
import rpcbench.netty.PrefaceDeadline;
import rpcbench.netty.Trust;
import rpcbench.stack.Address;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Kind;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.ServerLimits;
import rpcbench.stack.Stack;
import rpcbench.stack.Tls;

/** grpc-armeria: client and server. */
final class ArmeriaStack implements Stack {
  /**
   * All kinds but connect, because Armeria opens a connection only with a call; and but download, which a client may end early:
   * Armeria treats messages that arrive afterwards as a connection error, and closes the connection.
   */
  private static final List<String> KINDS = List.of(
      Kind.FIRST_CALL, Kind.UNARY, Kind.STREAM, Kind.PING_PONG, Kind.BURST, Kind.UPLOAD, Kind.BOTH_WAYS);

  private final KeyRing<Keys> keys = new KeyRing<>(Keys::of);

  @Override
  public Info info() {
    List<Info.Option> options = new ArrayList<>(List.of(EventLoops.OPTION, Codec.option(true), Generic.INFO));
    options.addAll(Info.Option.without(Set.of("retry"), ClientOptions.INFO));
    return Channels.info("grpc-armeria", library(), true, KINDS, List.of("tcp"), options, false);
  }

  private static String library() {
    String armeria = Version.get("armeria-grpc", ArmeriaStack.class.getClassLoader()).artifactVersion();
    return "com.linecorp.armeria:armeria-grpc " + armeria + " (Netty " + Channel.class.getPackage().getImplementationVersion() + ")";
  }

  private static EventLoopGroup loops(Map<String, String> options) throws CallException {
    int threads = EventLoops.threads(options, 2 * Runtime.getRuntime().availableProcessors());
    return EventLoops.shared("armeria", threads, n -> EventLoopGroups.newEventLoopGroup(n, "armeria-loop", true));
  }

  @Override
  public Conn dial(DialConfig config) throws CallException {
    ClientOptions options = ClientOptions.read(config.options());
    EventLoop loop = loops(config.options()).next();
    ClientFactoryBuilder builder = ClientFactory.builder()
        .workerGroup(loop, false)
        .idleTimeoutMillis(0)
        .option(
            ClientFactoryOptions.CHANNEL_PIPELINE_CUSTOMIZER,
            pipeline -> CountedPipeline.count(pipeline, config.wire(), config.tls() != null));
    Keys own = keys.of(config.tls());
    if (own != null) {
      builder.tlsCustomizer(tls -> Trust.client(tls, own));
    }
    Endpoint endpoint = endpoint(config);
    ClientFactory factory = builder.build();
    ArmeriaChannel channel =
        new ArmeriaChannel(factory, loop, own == null ? SessionProtocol.H2C : SessionProtocol.H2, endpoint);
    return GrpcConn.of(channel, factory::close, SentStatus::of, config, options, GrpcConn.Calls.CALLED_BACK);
  }

  /** Returns the server's address; with TLS, under the name that its certificate must have. */
  private static Endpoint endpoint(DialConfig config) throws CallException {
    Address address = Address.parse(config.address());
    return config.tls() == null || config.tls().serverName() == null
        ? Endpoint.of(address.called(), address.port())
        : Endpoint.of(config.tls().serverName(), address.port()).withInetAddress(address.resolve());
  }

  @Override
  public Server serve(ServeConfig config) throws Exception {
    ServerLimits limits = config.limits();
    ArmeriaServer.Grace grace = new ArmeriaServer.Grace();
    ServerBuilder builder = com.linecorp.armeria.server.Server.builder()
        .workerGroup(loops(config.options()), false)
        .gracefulShutdown(grace)
        .requestTimeoutMillis(0)
        .maxRequestLength(0)
        .idleTimeoutMillis(0)
        .maxNumConnections(limits.connections() > 0 ? limits.connections() : Integer.MAX_VALUE)
        .http2MaxStreamsPerConnection(limits.streams() > 0 ? limits.streams() : Integer.MAX_VALUE)
        .http2MaxHeaderListSize(ServerLimits.HEADER_BYTES_MAX)
        .childChannelPipelineCustomizer(accepted -> accept(accepted, config))
        .service(services(config));
    listen(builder, config);
    return ArmeriaServer.start(builder.build(), grace);
  }

  private static GrpcService services(ServeConfig config) throws CallException {
    GrpcServiceBuilder builder =
        GrpcService.builder().maxRequestMessageLength(config.limits().request(Limits.MESSAGE_BYTES_MAX));
    GrpcServer.services(config, call -> ServiceRequestContext.current().sslSession()).forEach(builder::addService);
    return builder.build();
  }

  private static void listen(ServerBuilder builder, ServeConfig config) throws CallException {
    Tls tls = config.tls();
    builder.port(Address.parse(config.address()).listening(), tls == null ? SessionProtocol.HTTP : SessionProtocol.HTTPS);
    if (tls != null) {
      builder.tls(tls.key(), tls.certificate()).tlsCustomizer(context -> Trust.server(context, tls));
    }
  }

  private static void accept(ChannelPipeline accepted, ServeConfig config) {
    CountedPipeline.count(accepted, config.wire(), config.limits());
    PrefaceDeadline.set(accepted.channel(), config.limits());
  }
}
