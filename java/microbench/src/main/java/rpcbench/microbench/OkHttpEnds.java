package rpcbench.microbench;

import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.okhttp.OkHttpServerBuilder;
import java.net.InetSocketAddress;

/**
 * OkHttp on both sides, with gRPC's shared threads.
 *
 * @param windowBytes 0 for gRPC's own
 */
record OkHttpEnds(InetSocketAddress address, int windowBytes) implements Ends {
  @Override
  public ServerBuilder<?> server() {
    OkHttpServerBuilder builder = OkHttpServerBuilder.forPort(address, InsecureServerCredentials.create());
    return windowBytes > 0 ? builder.flowControlWindow(windowBytes) : builder;
  }

  @Override
  public ManagedChannelBuilder<?> channel(Server server) {
    OkHttpChannelBuilder builder =
        OkHttpChannelBuilder.forAddress(address.getHostString(), server.getPort()).usePlaintext();
    return windowBytes > 0 ? builder.flowControlWindow(windowBytes) : builder;
  }
}
