package rpcbench.codec;

import java.util.Map;

/** Adds gzip at its default level to a codec. */
final class Gzipped implements Codec.Operations {
  private final Codec.Operations inner;
  private final GzipCoder gzip = new GzipCoder();

  private Gzipped(Codec.Operations inner) {
    this.inner = inner;
  }

  static Codec of(Codec codec) {
    return content -> new Gzipped(codec.bind(content));
  }

  @Override
  public Object object() {
    return inner.object();
  }

  @Override
  public byte[] encode() throws Exception {
    return gzip.pack(inner.encode());
  }

  @Override
  public Object decode(byte[] encoded) throws Exception {
    return inner.decode(gzip.unpack(encoded));
  }

  @Override
  public Map<String, Object> fields(Object message) {
    return inner.fields(message);
  }

  @Override
  public boolean gzipped() {
    return true;
  }

  @Override
  public int plainBytes(byte[] encoded) throws Exception {
    return gzip.unpack(encoded).length;
  }
}
