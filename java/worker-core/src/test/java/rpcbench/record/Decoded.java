package rpcbench.record;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Histograms as a reader of results has them. */
public final class Decoded {
  private Decoded() {}

  /** Decodes the output of encode, or of HdrHistogram in another language. */
  public static Histogram of(byte[] v2) throws DataFormatException {
    return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(v2), Histograms.HIGHEST_NS);
  }
}
