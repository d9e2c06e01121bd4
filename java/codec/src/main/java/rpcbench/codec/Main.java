package rpcbench.codec;

import rpcbench.worker.Worker;

/** The worker of codec-java. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Worker.run(CodecStack.ofAll(Library.beside(Main.class)));
  }
}
