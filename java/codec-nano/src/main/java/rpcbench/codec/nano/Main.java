package rpcbench.codec.nano;

import java.util.Map;
import rpcbench.codec.Codec;
import rpcbench.codec.CodecStack;
import rpcbench.codec.Library;
import rpcbench.stack.Stack;
import rpcbench.worker.Worker;

/** The worker of codec-java-nano. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Worker.run(stack());
  }

  static Stack stack() {
    return CodecStack.of("codec-java-nano", Library.beside(Main.class), codecs());
  }

  static Map<String, Codec> codecs() {
    return Map.of("protobuf-bytes", Nano::new);
  }
}
