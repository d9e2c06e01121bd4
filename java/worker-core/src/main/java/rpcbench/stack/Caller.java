package rpcbench.stack;

/**
 * Performs one slot's calls, one at a time. The calls of one Caller follow one another, on any threads, and each sees what the
 * previous one wrote.
 */
public interface Caller {
  /**
   * Starts one measured operation and returns without waiting for it, unless the library can't avoid waiting. {@code done} is
   * called exactly once, on any thread, possibly before this returns, when the answer is complete or the call has failed. Only
   * the time from here, or from {@link Done#sent}, to there is measured. It throws nothing: failures go to {@code done}.
   */
  void start(Done done);

  /**
   * Ends the running call as soon as possible, because of its deadline or the end of the phase. {@code done} is still called. It
   * may be called by any thread, even if no call is running; then it does nothing.
   */
  void cancel();

  /**
   * Called before {@link #after} for a call that was answered after its phase's window: it counts in the tail. A Caller whose
   * calls all carry the same does nothing. One that wraps another passes it on.
   */
  void late();

  /**
   * Called once after every call, before the next one starts, and not timed: checks the reply, and cleans up what the next call
   * creates anew.
   *
   * @return null if the call was good or had failed already; otherwise the failure of a wrong reply, {@link Code#MISMATCH}
   */
  CallException after();

  /** Receives the outcome of a call. */
  @FunctionalInterface
  interface Done {
    /**
     * Reports that the call is made only now. A Caller that hands its calls to another thread calls this there, once, before it
     * begins the call, because the hand-over is not the stack's service.
     */
    default void sent() {}

    /**
     * Reports the end of a call. {@code failure} is null if the answer is complete.
     *
     * <p>The slot's next call may start on this thread, before this returns, and so may calls of other slots and connections that
     * wait for a thread. Call it where the library may be called again, and hold no lock that a call takes. A library that allows
     * neither needs {@link BlockingCaller}, or a hand-over to a thread of the stack first.
     */
    void done(CallException failure);
  }
}
