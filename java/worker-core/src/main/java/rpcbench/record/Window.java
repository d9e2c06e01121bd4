package rpcbench.record;

import org.HdrHistogram.Histogram;

/** The responses of a part of a phase. Times are since the phase began. */
public record Window(long startNs, long endNs, Histogram response) {}
