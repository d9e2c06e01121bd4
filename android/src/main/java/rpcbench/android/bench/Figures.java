package rpcbench.android.bench;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.DataFormatException;
import rpcbench.worker.v1.Worker.Connected;
import rpcbench.worker.v1.Worker.Done;
import rpcbench.worker.v1.Worker.Histogram;

/**
 * A trial's figures for the table on the screen.
 *
 * @param median of the response: of a call, or of an operation of encode and decode
 * @param p99 likewise
 * @param rate calls or operations per second, of the window
 * @param ok calls that were OK, after the window too
 * @param failed calls that were not OK
 */
public record Figures(String median, String p99, String rate, long ok, long failed) {
  private static final double SECOND_NS = 1e9;

  static Figures of(Connected connected, Done done) {
    long repeat = connected.hasCodec() ? connected.getCodec().getRepeat() : 1;
    long ok = 0;
    long failed = 0;
    for (var outcome : done.getOutcomesList()) {
      if (outcome.getCode().equals("OK")) {
        ok = outcome.getCalls();
      } else {
        failed += outcome.getCalls();
      }
    }
    String median = "";
    String p99 = "";
    for (Histogram each : done.getHistogramsList()) {
      if (each.getName().equals("response")) {
        org.HdrHistogram.Histogram histogram = decoded(each);
        median = time((double) histogram.getValueAtPercentile(50) / repeat);
        p99 = time((double) histogram.getValueAtPercentile(99) / repeat);
      }
    }
    double inWindow = ok - (done.hasTail() ? done.getTail().getOk() : 0);
    return new Figures(median, p99, rate(inWindow * repeat / (done.getWindowNs() / SECOND_NS)), ok, failed);
  }

  private static org.HdrHistogram.Histogram decoded(Histogram histogram) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(histogram.getV2Compressed().toByteArray());
      return org.HdrHistogram.Histogram.decodeFromCompressedByteBuffer(bytes, 0);
    } catch (DataFormatException e) {
      throw new IllegalStateException("the worker's histogram can't be read", e);
    }
  }

  /** A time with three digits and its unit: "78.6 ms". */
  static String time(double ns) {
    if (ns < 1e3) {
      return digits(ns) + " ns";
    } else if (ns < 1e6) {
      return digits(ns / 1e3) + " µs";
    }
    return ns < 1e9 ? digits(ns / 1e6) + " ms" : digits(ns / 1e9) + " s";
  }

  static String rate(double perSec) {
    return perSec >= 1e4 ? String.format(Locale.ROOT, "%,.0f", perSec) : digits(perSec);
  }

  private static String digits(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
  }
}
