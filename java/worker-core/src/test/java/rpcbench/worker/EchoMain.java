package rpcbench.worker;

import java.util.List;

/** A worker's process. */
public final class EchoMain {
  private EchoMain() {}

  public static void main(String[] args) {
    Worker.run(List.of(EchoStack.multiplexed()), Driver.LEAST_WARMUP_NS);
  }
}
