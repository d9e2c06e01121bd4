package rpcbench.microbench;

import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.ServerBuilder;

/** The two ends of a transport, and the threads that they share. */
interface Ends {
  /** A server that is to listen where nobody else does. */
  ServerBuilder<?> server();

  /** A plaintext channel to a server that is listening. */
  ManagedChannelBuilder<?> channel(Server server);

  /** Frees the threads. Servers and channels have ended before. */
  default void close() throws InterruptedException {}
}
