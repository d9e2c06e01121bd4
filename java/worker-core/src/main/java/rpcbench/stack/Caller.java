package rpcbench.stack;

/**
 * Performs one slot's calls, one at a time. The calls of one Caller follow one another, on any threads, each seeing what
 * the one before it wrote.
 */
public interface Caller {
  /**
   * Starts one measured operation and returns without waiting for it, except where the library can't do otherwise.
   * {@code done} is called exactly once, on any thread, also before this returns, when the answer is complete or the call
   * has failed. Only the time from here, or from {@link Done#sent}, to there is measured. It throws nothing: failures go
   * to {@code done}.
   */
  void start(Done done);

  /**
   * Ends the running call as soon as may be, because its deadline is over or the phase is. {@code done} still comes. It
   * may come from any thread, also when no call runs; then it does nothing.
   */
  void cancel();

  /** Called before {@link #after} for a call that was answered after its phase's window: it counts in the tail. */
  default void late() {}

  /**
   * Called once after every call, before the next is started, and not timed: checks the reply, and undoes what the next
   * call does anew.
   *
   * @return null when the call was good or had failed already; the failure of a reply that came and was wrong, {@link
   *     Code#MISMATCH}
   */
  CallException after();

  /** Receives the outcome of a call. */
  @FunctionalInterface
  interface Done {
    /**
     * The call is made only now. A Caller that hands its calls to another thread says so there, once, before it begins with
     * the call: the hand-over is not the stack's service.
     */
    default void sent() {}

    /**
     * {@code failure} is null where the answer is complete.
     *
     * <p>The slot's next call may start on this thread, before this returns, and so may the calls of other slots and
     * connections that wait for a thread: call it where the library may be called again, and hold no lock that a call takes. A
     * library that allows neither is for {@link BlockingCaller}, or hands over to a thread of the stack's first.
     */
    void done(CallException failure);
  }
}
