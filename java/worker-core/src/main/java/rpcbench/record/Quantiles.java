package rpcbench.record;

import org.HdrHistogram.Histogram;

/** Sums up a histogram, in ns. All are 0 when it is empty. */
public record Quantiles(long calls, long p50Ns, long p90Ns, long p99Ns, long maxNs) {
  public static Quantiles of(Histogram h) {
    return new Quantiles(
        h.getTotalCount(),
        Histograms.quantile(h, 0.5),
        Histograms.quantile(h, 0.9),
        Histograms.quantile(h, 0.99),
        Histograms.quantile(h, 1));
  }
}
