package rpcbench.load;

/**
 * Sums up a phase.
 *
 * @param arrivals due in the window; exactly as many samples went to the Sink
 * @param elapsedNs until the last call was done or given up
 */
public record Tally(long arrivals, long elapsedNs) {}
