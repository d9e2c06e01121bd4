package rpcbench.codec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Gzip at the default level, 6. Its compressor and decompressor are kept and reset for every message, as in the Go worker's
 * codecs. A stream of java.util.zip creates new ones, which clear a quarter of a megabyte.
 *
 * <p>Not safe for concurrent use.
 */
final class GzipCoder {
  /** The header by RFC 1952: deflate, no name, no time, unknown system. */
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  private static final int TRAILER_BYTES = 8;
  private static final int BUFFER_BYTES = 8192;

  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private final Inflater inflater = new Inflater(true);
  private final CRC32 sum = new CRC32();
  private final byte[] buffer = new byte[BUFFER_BYTES];

  byte[] pack(byte[] plain) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    packed.write(HEADER, 0, HEADER.length);
    deflater.reset();
    deflater.setInput(plain);
    deflater.finish();
    while (!deflater.finished()) {
      packed.write(buffer, 0, deflater.deflate(buffer));
    }
    packed.write(trailer(plain), 0, TRAILER_BYTES);
    return packed.toByteArray();
  }

  /** Unpacks the output of pack. */
  byte[] unpack(byte[] packed) throws IOException {
    int end = packed.length - TRAILER_BYTES;
    if (end < HEADER.length || !isAt(packed, 0, HEADER)) {
      throw new IOException("this is not what the codec packed");
    }
    inflater.reset();
    inflater.setInput(packed, HEADER.length, end - HEADER.length);
    byte[] plain = inflated();
    if (!isAt(packed, end, trailer(plain))) {
      throw new IOException("the checksum is wrong");
    }
    return plain;
  }

  private static boolean isAt(byte[] packed, int from, byte[] part) {
    return ByteBuffer.wrap(packed, from, part.length).equals(ByteBuffer.wrap(part));
  }

  private byte[] inflated() throws IOException {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    try {
      while (!inflater.finished()) {
        int n = inflater.inflate(buffer);
        if (n == 0 && !inflater.finished()) { // the input is exhausted, or it needs a dictionary
          throw new IOException("the end is missing");
        }
        plain.write(buffer, 0, n);
      }
    } catch (DataFormatException e) {
      throw new IOException(e.getMessage(), e);
    }
    return plain.toByteArray();
  }

  /** Returns the checksum and the length of the plain bytes. */
  private byte[] trailer(byte[] plain) {
    sum.reset();
    sum.update(plain);
    ByteBuffer trailer = ByteBuffer.allocate(TRAILER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return trailer.putInt((int) sum.getValue()).putInt(plain.length).array();
  }
}
