package rpcbench.grpcjava;

import java.time.Duration;
import java.util.List;
import rpcbench.worker.Worker;

/** The worker of grpc-java's stacks. */
public final class Main {
  /** A JVM needs this long to compile what runs often. */
  private static final Duration LEAST_WARMUP = Duration.ofSeconds(8);

  private Main() {}

  public static void main(String[] args) {
    Worker.run(List.of(new NettyStack(), new OkHttpStack()), LEAST_WARMUP.toNanos());
  }
}
