package rpcbench.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
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
    if (length < 0 || length > most) {
      return in.readNBytes(most);
    }
    byte[] body;
    int got;
    if (length > TRUSTED_BYTES) {
      body = in.readNBytes((int) length);
      got = body.length;
    } else {
      body = new byte[(int) length];
      got = in.readNBytes(body, 0, body.length);
    }
    if (got < length) {
      throw new EOFException("the body ends after " + got + " of " + length + " bytes");
    }
    return body;
  }

  /** Returns the body, decompressed if the encoding is gzip, and no more than most bytes of it. */
  static byte[] unpack(byte[] body, String encoding, int most) throws IOException {
    return HttpJson.GZIP.equalsIgnoreCase(encoding) ? Gzip.unpack(body, most) : body;
  }
}
