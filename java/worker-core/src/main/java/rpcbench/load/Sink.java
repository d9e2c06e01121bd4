package rpcbench.load;

import rpcbench.stack.CallException;

/** Receives samples. */
@FunctionalInterface
public interface Sink {
  /**
   * Takes one arrival's story. All slots call it concurrently, once for every arrival that was due, on the threads that
   * complete calls: it must not block. A sample comes as bare numbers, so that it costs no object. Times are
   * nanoseconds since the phase began.
   *
   * <p>Response time, what the user waits for, is done − due. Service time is done − sent. The lag between due and sent
   * is queue (no slot was free: the load's or the server's doing) and then wake (a slot was free: the instrument's
   * fault). In a closed load due is sent, and both lags are zero.
   *
   * @param sentNs 0 when unsent
   * @param doneNs when it was given up, where fate is UNSENT or UNFINISHED: done − due is then a lower bound, and both
   *     lags are zero
   * @param failure of an answered call; null is success
   */
  void record(
      int slot, Fate fate, long dueNs, long sentNs, long doneNs, long queueNs, long wakeNs, CallException failure);

  /**
   * Takes arrivals that were never sent, which a cut-off may have by the million.
   *
   * @param dueNs of the last of them; the others were due at most a thousandth of done − due earlier
   */
  default void unsent(long dueNs, long doneNs, long arrivals) {
    for (long i = 0; i < arrivals; i++) {
      record(0, Fate.UNSENT, dueNs, 0, doneNs, 0, 0, null);
    }
  }
}
