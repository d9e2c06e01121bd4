package rpcbench.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import rpcbench.payload.Gzip;

/** Reads bodies of requests and responses as a whole, and decompresses gzip. */
public final class Body {
  private Body() {}

  /**
   * A body with a declared length of at most this is allocated before its bytes arrive. Memory for a longer body grows with it.
   */
  private static final int TRUSTED_BYTES = 64 << 10;

  /**
   * Reads a body, but at most maxBytes of it.
   *
   * @param length of the body; negative if unknown
   */
  public static byte[] read(InputStream in, long length, int maxBytes) throws IOException {
    boolean known = length >= 0 && length <= maxBytes;
    byte[] body = upTo(in, known ? (int) length : maxBytes);
    if (known && body.length < length) {
      throw new EOFException("the body ends after " + body.length + " of " + length + " bytes");
    }
    return body;
  }

  /** Reads until the end, but at most maxBytes. InputStream.readNBytes does that, but Android lacks it. */
  private static byte[] upTo(InputStream in, int maxBytes) throws IOException {
    byte[] body = new byte[Math.min(maxBytes, TRUSTED_BYTES)];
    int got = 0;
    while (got < maxBytes) {
      if (got == body.length) {
        body = Arrays.copyOf(body, (int) Math.min(maxBytes, 2L * body.length));
      }
      int n = in.read(body, got, body.length - got);
      if (n < 0) {
        break;
      }
      got += n;
    }
    return got == body.length ? body : Arrays.copyOf(body, got);
  }

  /** Returns the body, decompressed if the encoding is gzip, but at most maxBytes of it. */
  static byte[] unpack(byte[] body, String encoding, int maxBytes) throws IOException {
    return HttpJson.GZIP.equalsIgnoreCase(encoding) ? Gzip.unpack(body, maxBytes) : body;
  }
}
