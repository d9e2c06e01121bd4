package rpcbench.load;

import rpcbench.stack.CallException;

/** Receives samples. */
@FunctionalInterface
public interface Sink {
  /**
   * Records one arrival. All slots call it concurrently, once for every arrival that was due, on the threads that complete calls,
   * so it must not block. A sample is passed as numbers, so that it needs no object. Times are nanoseconds since the phase began.
   *
   * <p>Response time, what a user waits for, is done − due. Service time is done − sent. The lag between due and sent is queue
   * (no slot was free: caused by the load or the server) and then wake (a slot was free: caused by the instrument). In a closed
   * load due is sent, and both lags are zero.
   *
   * @param sentNs 0 if unsent
   * @param doneNs when the arrival was given up, if fate is UNSENT or UNFINISHED: done − due is then a lower bound, and both
   *     lags are zero
   * @param failure of an answered call; null is success
   */
  void record(
      int slot, Fate fate, long dueNs, long sentNs, long doneNs, long queueNs, long wakeNs, CallException failure);

  /** Returns the sink of one of the calls of a mix. */
  default Sink of(int which) {
    return this;
  }

  /**
   * Records arrivals that were never sent, of which a cut-off may have millions.
   *
   * @param dueNs of the last of them; the others were due at most a thousandth of done − due earlier
   */
  default void unsent(long dueNs, long doneNs, long arrivals) {
    for (long i = 0; i < arrivals; i++) {
      record(0, Fate.UNSENT, dueNs, 0, doneNs, 0, 0, null);
    }
  }
}
