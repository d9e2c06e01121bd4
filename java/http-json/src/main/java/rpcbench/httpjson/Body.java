package rpcbench.httpjson;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Bodies of requests and responses: read whole, and through gzip. */
final class Body {
  private static final int BUFFER_BYTES = 8192;

  private Body() {}

  /**
   * Reads a body of at most {@link HttpJson#BODY_BYTES_MAX}; a longer one is cut off, which the JSON in it does not
   * survive.
   *
   * @param length of the body; negative where it is not known
   */
  static byte[] read(InputStream in, long length) throws IOException {
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

  /** Compresses, as java.util.zip does it at its default level. */
  static byte[] pack(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(BUFFER_BYTES);
    try (GZIPOutputStream out = new GZIPOutputStream(packed, BUFFER_BYTES)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  /** Returns the body, decompressed where encoding says gzip, cut off as by {@link #read}. */
  static byte[] unpack(byte[] body, String encoding) throws IOException {
    if (!HttpJson.GZIP.equalsIgnoreCase(encoding)) {
      return body;
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body), BUFFER_BYTES)) {
      return in.readNBytes(HttpJson.BODY_BYTES_MAX);
    }
  }
}
