package rpcbench.microbench;

import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import java.util.function.Function;

/**
 * The two ends of a transport, and the threads that they share.
 *
 * @param server listens at an address that no other server uses
 * @param channel creates a plaintext channel to a server that is listening
 * @param threads frees the threads, once servers and channels have ended
 */
record Ends(ServerBuilder<?> server, Function<Server, ManagedChannelBuilder<?>> channel, Closing threads) {
  /** Frees threads. */
  @FunctionalInterface
  interface Closing {
    void close() throws InterruptedException;
  }
}
