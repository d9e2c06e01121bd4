package rpcbench.load;

/**
 * The totals of a phase.
 *
 * @param arrivals due in the window; as many samples went to the Sink
 * @param elapsedNs until the last call was done or given up
 * @param windowNs how long calls were due. In a closed load that ends after a number of calls, slots stop one by one: its
 *     window is how long its calls would have taken if every slot had continued at its pace until its last completion
 * @param late OK calls that were done after the window
 * @param stoppedNs when a stop ended the schedule, which is then its window; 0 if none did
 */
public record Tally(long arrivals, long elapsedNs, long windowNs, long late, long stoppedNs) {}
