package rpcbench.record;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/** Histograms of the range and precision that all of rpcbench uses: 1 ns to 1 h, 3 significant digits; 270 kB each. */
public final class Histograms {
  static final long HIGHEST_NS = 3_600_000_000_000L;
  private static final int DIGITS = 3;

  private Histograms() {}

  /** Returns an empty histogram. */
  public static Histogram empty() {
    return new Histogram(1, HIGHEST_NS, DIGITS);
  }

  /** Records a time several times; values beyond the range are recorded as its end. Returns how many were beyond it. */
  static long record(Histogram h, long ns, long times) {
    long fits = Math.max(0, Math.min(ns, HIGHEST_NS));
    h.recordValueWithCount(fits, times);
    return fits == ns ? 0 : times;
  }

  /**
   * The value that the part q (0–1) of the samples does not exceed, to 3 significant digits; 0 when there are none. The
   * library rounds the rank up.
   */
  public static long quantile(Histogram h, double q) {
    return h.getValueAtPercentile(100 * q);
  }

  /** Writes a histogram in HdrHistogram's V2 compressed format, which its libraries in all languages read. */
  public static byte[] encode(Histogram h) {
    ByteBuffer buffer = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
    int length = h.encodeIntoCompressedByteBuffer(buffer);
    return Arrays.copyOf(buffer.array(), length);
  }
}
