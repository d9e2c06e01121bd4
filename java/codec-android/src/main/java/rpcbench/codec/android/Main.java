package rpcbench.codec.android;

import rpcbench.codec.CodecStack;
import rpcbench.codec.Library;
import rpcbench.stack.Stack;
import rpcbench.worker.Worker;

/** The worker of codec-java-android: codec-java's code for org.json, with Android's implementation of it. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Worker.run(stack());
  }

  static Stack stack() {
    return CodecStack.of("codec-java-android", Library.beside(Main.class), CodecStack.orgJson());
  }
}
