package rpcbench.codec;

import java.time.Duration;
import java.util.List;
import rpcbench.worker.Worker;

/** The worker of codec-java. */
public final class Main {
  /** A JVM needs this long to compile what runs often. */
  public static final Duration LEAST_WARMUP = Duration.ofSeconds(8);

  private Main() {}

  public static void main(String[] arguments) {
    Worker.run(List.of(CodecStack.ofAll(Library.beside(Main.class))), LEAST_WARMUP.toNanos());
  }
}
