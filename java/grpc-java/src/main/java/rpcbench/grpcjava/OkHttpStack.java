package rpcbench.grpcjava;

import io.grpc.ManagedChannel;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.util.List;
import rpcbench.grpc.Channels;
import rpcbench.grpc.Codec;
import rpcbench.grpc.GrpcConn;
import rpcbench.okhttp.OkHttpChannels;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Stack;

/**
 * grpc-java-okhttp: a client.
 *
 * <p>It has no option direct_executor: this transport calls back with its lock held. A load that starts the next call from there,
 * on another connection, could deadlock with another thread that does the same.
 */
public final class OkHttpStack implements Stack {
  private static final Info INFO = Channels.info(
      "grpc-java-okhttp", library(), false, List.of("tcp"),
      List.of(Options.executor(false), Options.window(false, "65535"), Options.keepAlive(false), Codec.option(false)));

  private final OkHttpChannels channels = new OkHttpChannels();

  @Override
  public Info info() {
    return INFO;
  }

  static String library() {
    String transport = OkHttpChannelBuilder.class.getPackage().getImplementationVersion();
    String grpc = ManagedChannel.class.getPackage().getImplementationVersion();
    return "io.grpc:grpc-okhttp " + transport + " (gRPC " + grpc + ", TLS by the JDK)";
  }

  @Override
  public Conn dial(DialConfig config) throws CallException {
    Options options = Options.read(config.options());
    return GrpcConn.open(channel(config, options), config, options.client(), GrpcConn.Calls.CALLED_BACK);
  }

  private ManagedChannel channel(DialConfig config, Options options) throws CallException {
    OkHttpChannelBuilder builder = channels.builder(config, options.client());
    options.configure(builder);
    if (options.windowBytes() > 0) {
      builder.flowControlWindow(options.windowBytes());
    }
    return builder.build();
  }
}
