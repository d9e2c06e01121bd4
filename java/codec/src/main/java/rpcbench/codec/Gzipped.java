package rpcbench.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Puts gzip at its default level around a codec. */
final class Gzipped implements Codec.Operations {
  private final Codec.Operations inner;

  private Gzipped(Codec.Operations inner) {
    this.inner = inner;
  }

  static Codec of(Codec codec) {
    return content -> new Gzipped(codec.bind(content));
  }

  static byte[] compress(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  @Override
  public Object object() {
    return inner.object();
  }

  @Override
  public byte[] encode() throws Exception {
    return compress(inner.encode());
  }

  @Override
  public Object decode(byte[] encoded) throws Exception {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(encoded))) {
      return inner.decode(in.readAllBytes());
    }
  }

  @Override
  public boolean gzipped() {
    return true;
  }
}
