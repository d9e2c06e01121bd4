package rpcbench.record;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Histograms as a reader of results has them. */
public final class Decoded {
  private Decoded() {}

  /** Reads what encode, or HdrHistogram in another language, wrote. */
  public static Histogram of(byte[] v2) throws DataFormatException {
    return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(v2), Histograms.HIGHEST_NS);
  }
}
