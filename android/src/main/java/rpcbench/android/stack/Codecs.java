package rpcbench.android.stack;

import java.util.HashMap;
import java.util.Map;
import rpcbench.codec.Codec;
import rpcbench.codec.CodecStack;
import rpcbench.codec.Protobuf;
import rpcbench.stack.Stack;

/** The codecs of a phone: protobuf-lite, and JSON by Android's org.json. */
final class Codecs {
  private Codecs() {}

  static Stack stack(String name) {
    Map<String, Codec> codecs = new HashMap<>(CodecStack.orgJson());
    codecs.putAll(Protobuf.codecs(new Lite()));
    return CodecStack.of(name, Libraries.of("codec"), codecs);
  }
}
