package rpcbench.virtual;

import rpcbench.worker.Worker;

/** The worker of the stack on virtual threads. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Worker.run(new VirtualStack());
  }
}
