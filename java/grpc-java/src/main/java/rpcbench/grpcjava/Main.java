package rpcbench.grpcjava;

import rpcbench.worker.Worker;

/** The worker of grpc-java's stacks. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Worker.run(new NettyStack(), new OkHttpStack(), new OkHttpServerStack(), new InProcessStack());
  }
}
