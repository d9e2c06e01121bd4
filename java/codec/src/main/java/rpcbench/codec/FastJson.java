package rpcbench.codec;

import com.alibaba.fastjson2.JSON;

/** JSON by fastjson2, which compiles a reader and a writer for each record. */
final class FastJson implements Codec.Operations {
  private final Record message;

  FastJson(Content content) {
    message = content.plain();
  }

  @Override
  public Object object() {
    return message;
  }

  @Override
  public byte[] encode() {
    return JSON.toJSONBytes(message);
  }

  @Override
  public Object decode(byte[] encoded) {
    return JSON.parseObject(encoded, message.getClass());
  }
}
