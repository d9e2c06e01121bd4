package rpcbench.worker;

/** A worker's process. */
public final class EchoMain {
  private EchoMain() {}

  public static void main(String[] args) {
    Worker.run(EchoStack.multiplexed());
  }
}
