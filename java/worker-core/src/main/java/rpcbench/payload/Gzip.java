package rpcbench.payload;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Compresses and decompresses, as java.util.zip does it at its default level. */
public final class Gzip {
  private static final int BUFFER_BYTES = 8192;

  private Gzip() {}

  public static byte[] pack(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(BUFFER_BYTES);
    try (GZIPOutputStream out = new GZIPOutputStream(packed, BUFFER_BYTES)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  /** Reads at most maxBytes, and fewer only at the end. */
  public static byte[] upTo(int maxBytes, InputStream in) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER_BYTES];
    while (read.size() < maxBytes) {
      int n = in.read(buffer, 0, Math.min(buffer.length, maxBytes - read.size()));
      if (n < 0) {
        break;
      }
      read.write(buffer, 0, n);
    }
    return read.toByteArray();
  }

  /** Decompresses at most maxBytes; what exceeds them is cut off. */
  public static byte[] unpack(byte[] packed, int maxBytes) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed), BUFFER_BYTES)) {
      return upTo(maxBytes, in);
    }
  }
}
