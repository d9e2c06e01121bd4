package rpcbench.armeria;

import rpcbench.worker.Worker;

/** The worker of Armeria's stack. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Worker.run(new ArmeriaStack());
  }
}
