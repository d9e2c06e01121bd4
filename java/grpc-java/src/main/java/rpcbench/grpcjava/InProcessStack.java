package rpcbench.grpcjava;

import io.grpc.Attributes;
import io.grpc.ClientTransportFilter;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import rpcbench.grpc.Channels;
import rpcbench.grpc.ClientOptions;
import rpcbench.grpc.GrpcConn;
import rpcbench.grpc.GrpcServer;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.ServeConfig;
import rpcbench.stack.Server;
import rpcbench.stack.Stack;
import rpcbench.stack.Wire;

/**
 * grpc-java-inprocess: a client and a server in one process. Messages are passed as objects and never encoded.
 *
 * <p>It has no option direct_executor: each call would be answered, and the slot's next call started, within the start of the
 * previous one, in unlimited recursion.
 */
public final class InProcessStack implements Stack {
  static final String NETWORK = "inproc";

  /** Names servers, as the library requires; they are unique within a process. */
  private static final AtomicInteger NAMES = new AtomicInteger();

  private static final Info INFO = new Info(
      "grpc-java-inprocess", "grpc", library(), true, true, Channels.KINDS, List.of(NETWORK), List.of("plaintext"),
      List.of("none"), true, options(), List.of(), List.of(), false);

  @Override
  public Info info() {
    return INFO;
  }

  private static String library() {
    return "io.grpc:grpc-inprocess " + InProcessChannelBuilder.class.getPackage().getImplementationVersion();
  }

  private static List<Info.Option> options() {
    List<Info.Option> options = new ArrayList<>(ClientOptions.INFO);
    options.add(Options.executor(true));
    return List.copyOf(options);
  }

  @Override
  public Server serve(ServeConfig config) throws Exception {
    String name = NETWORK + ":" + NAMES.incrementAndGet();
    InProcessServerBuilder builder = InProcessServerBuilder.forName(name);
    Options.read(config.options()).answerOn(builder);
    return GrpcServer.start(builder, config.at(name));
  }

  @Override
  public Conn dial(DialConfig config) throws CallException {
    Options options = Options.read(config.options());
    InProcessChannelBuilder builder = InProcessChannelBuilder.forName(config.address());
    Channels.configure(builder, options.client());
    options.callBackOn(builder);
    config.wire().carriesObjects();
    builder.addTransportFilter(counting(config.wire()));
    return GrpcConn.open(builder.build(), config, options.client(), GrpcConn.Calls.CALLED_BACK);
  }

  /** Counts the transport that takes the place of a socket. */
  private static ClientTransportFilter counting(Wire wire) {
    return new ClientTransportFilter() {
      @Override
      public Attributes transportReady(Attributes transport) {
        wire.opened();
        return transport;
      }

      @Override
      public void transportTerminated(Attributes transport) {
        wire.closed();
      }
    };
  }
}
