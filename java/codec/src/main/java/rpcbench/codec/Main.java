package rpcbench.codec;

import java.util.HashMap;
import java.util.Map;
import rpcbench.worker.Worker;

/** The worker of codec-java: protobuf, org.json and fastjson2. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    Worker.run(stack());
  }

  static CodecStack stack() {
    return CodecStack.of("codec-java", Library.beside(Main.class), codecs());
  }

  static Map<String, Codec> codecs() {
    Map<String, Codec> codecs = new HashMap<>(Protobuf.codecs(new Generated()));
    codecs.putAll(CodecStack.orgJson());
    codecs.put("json-fast", FastJson::new);
    return codecs;
  }
}
