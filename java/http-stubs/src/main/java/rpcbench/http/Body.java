package rpcbench.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import rpcbench.payload.Gzip;

/** Bodies of requests and responses: read whole, and through gzip. */
public final class Body {
  private Body() {}

  /** Memory is taken for a length up to this before the bytes come; of a longer body it grows with them. */
  private static final int TRUSTED_BYTES = 64 << 10;

  /**
   * Reads a body, and no more than most bytes of it.
   *
   * @param length of the body; negative where it is not known
   */
  public static byte[] read(InputStream in, long length, int most) throws IOException {
    boolean known = length >= 0 && length <= most;
    byte[] body = upTo(in, known ? (int) length : most);
    if (known && body.length < length) {
      throw new EOFException("the body ends after " + body.length + " of " + length + " bytes");
    }
    return body;
  }

  /** Reads until the end, and no more than most bytes. InputStream.readNBytes does that, but not on Android. */
  private static byte[] upTo(InputStream in, int most) throws IOException {
    byte[] body = new byte[Math.min(most, TRUSTED_BYTES)];
    int got = 0;
    while (got < most) {
      if (got == body.length) {
        body = Arrays.copyOf(body, (int) Math.min(most, 2L * body.length));
      }
      int n = in.read(body, got, body.length - got);
      if (n < 0) {
        break;
      }
      got += n;
    }
    return got == body.length ? body : Arrays.copyOf(body, got);
  }

  /** Returns the body, decompressed if the encoding is gzip, and no more than most bytes of it. */
  static byte[] unpack(byte[] body, String encoding, int most) throws IOException {
    return HttpJson.GZIP.equalsIgnoreCase(encoding) ? Gzip.unpack(body, most) : body;
  }
}
