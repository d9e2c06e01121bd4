/**
 * Makes calls when they are due and reports the outcome of each.
 *
 * <p>A closed load has a fixed number of slots, each of which makes its next call when the previous one is done. An open load has
 * a schedule: arrivals fall due whether slots are free or not, a stalled server never slows the schedule, and a late call keeps
 * its due time, so that a sample is what a user would have waited. This avoids coordinated omission, a term by Gil Tene.
 *
 * <p>The package knows no RPC, no histogram and no process: it is given Callers, a clock, a Waiter and a Sink, and so its tests
 * run in virtual time. Times are nanoseconds since the phase began.
 */
package rpcbench.load;
