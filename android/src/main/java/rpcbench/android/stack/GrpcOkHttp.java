package rpcbench.android.stack;

import java.util.List;
import rpcbench.grpc.Channels;
import rpcbench.grpc.ClientOptions;
import rpcbench.grpc.GrpcConn;
import rpcbench.okhttp.OkHttpChannels;
import rpcbench.stack.CallException;
import rpcbench.stack.Conn;
import rpcbench.stack.DialConfig;
import rpcbench.stack.Info;
import rpcbench.stack.Stack;

/** android-grpc-okhttp, a client: grpc-okhttp with protobuf-lite. */
final class GrpcOkHttp implements Stack {
  private static final Info INFO =
      Channels.info("android-grpc-okhttp", Libraries.of("grpc"), false, List.of("tcp"), List.of());

  private final OkHttpChannels channels = new OkHttpChannels();

  @Override
  public Info info() {
    return INFO;
  }

  @Override
  public Conn dial(DialConfig config) throws CallException {
    ClientOptions options = ClientOptions.read(config.options());
    return GrpcConn.open(channels.builder(config, options).build(), config, options, GrpcConn.Calls.CALLED_BACK);
  }
}
