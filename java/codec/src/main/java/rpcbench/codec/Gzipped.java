package rpcbench.codec;

import rpcbench.payload.Gzip;

/** Puts gzip at its default level around a codec. */
final class Gzipped implements Codec.Operations {
  private final Codec.Operations inner;

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
    return Gzip.pack(inner.encode());
  }

  @Override
  public Object decode(byte[] encoded) throws Exception {
    return inner.decode(Gzip.unpack(encoded, Integer.MAX_VALUE));
  }

  @Override
  public boolean gzipped() {
    return true;
  }
}
