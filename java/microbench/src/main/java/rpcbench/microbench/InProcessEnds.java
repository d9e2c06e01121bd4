package rpcbench.microbench;

import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;

/** gRPC's in-process transport. Its executors are its only threads. */
final class InProcessEnds implements Ends {
  private final String name = InProcessServerBuilder.generateName();

  @Override
  public ServerBuilder<?> server() {
    return InProcessServerBuilder.forName(name);
  }

  @Override
  public ManagedChannelBuilder<?> channel(Server server) {
    return InProcessChannelBuilder.forName(name);
  }
}
