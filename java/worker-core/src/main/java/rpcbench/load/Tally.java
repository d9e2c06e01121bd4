package rpcbench.load;

/**
 * Sums up a phase.
 *
 * @param arrivals due in the window; exactly as many samples went to the Sink
 * @param elapsedNs until the last call was done or given up
 * @param windowNs how long calls were due. A closed load that ends after a number of calls falls off slot by slot: its
 *     window is how long its calls would have taken had every slot gone on as it did until its last call was done
 * @param late OK calls that were done after the window
 * @param stoppedNs when a stop ended the schedule, which is its window then; 0 where none did
 */
public record Tally(long arrivals, long elapsedNs, long windowNs, long late, long stoppedNs) {}
