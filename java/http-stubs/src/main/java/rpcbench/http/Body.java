package rpcbench.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import rpcbench.payload.Gzip;

/** Bodies of requests and responses: read whole, and through gzip. */
public final class Body {
  private Body() {}

  /**
   * Reads a body of at most {@link HttpJson#BODY_BYTES_MAX}; a longer one is cut off, which the JSON in it does not
   * survive.
   *
   * @param length of the body; negative where it is not known
   */
  public static byte[] read(InputStream in, long length) throws IOException {
    if (length < 0 || length > HttpJson.BODY_BYTES_MAX) {
      return in.readNBytes(HttpJson.BODY_BYTES_MAX);
    }
    byte[] body = new byte[(int) length];
    int got = in.readNBytes(body, 0, body.length);
    if (got < body.length) {
      throw new EOFException("the body ends after " + got + " of " + body.length + " bytes");
    }
    return body;
  }

  /** Returns the body, decompressed where encoding says gzip, cut off as by {@link #read}. */
  static byte[] unpack(byte[] body, String encoding) throws IOException {
    return HttpJson.GZIP.equalsIgnoreCase(encoding) ? Gzip.unpack(body, HttpJson.BODY_BYTES_MAX) : body;
  }
}
