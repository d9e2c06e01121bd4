package rpcbench.codec.lite;

import rpcbench.codec.CodecStack;
import rpcbench.codec.Library;
import rpcbench.codec.Protobuf;
import rpcbench.stack.Stack;
import rpcbench.worker.Worker;

/** The worker of codec-java-lite. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Worker.run(stack());
  }

  static Stack stack() {
    return CodecStack.of("codec-java-lite", Library.beside(Main.class), Protobuf.codecs(new Lite()));
  }
}
