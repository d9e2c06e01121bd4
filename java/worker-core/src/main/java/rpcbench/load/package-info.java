/**
 * Makes calls at the times when they are due and tells what became of each.
 *
 * <p>A closed load has a fixed number of slots, and each makes its next call when the last is done. An open load has a
 * schedule of its own: arrivals fall due whether slots are free or not, a stalled server never slows the schedule, and
 * a late call keeps its due time, so that a sample says what a user would have waited. This is the remedy for
 * coordinated omission, as Gil Tene named it.
 *
 * <p>The package knows no RPC, no histogram and no process: it is given Callers, a clock, a Waiter and a Sink, and so
 * runs in virtual time in its tests. Times are nanoseconds since the phase began.
 */
package rpcbench.load;
