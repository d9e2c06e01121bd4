package rpcbench.worker;

import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Wire;
import rpcbench.worker.v1.Worker.FirstCall;

/** Times the first call of its slot, and takes it apart. Times are System.nanoTime's; 0 is not yet. */
final class FirstCaller implements Caller, Caller.Done {
  private final Caller caller;
  private final Dialled dialled;
  private final Wire wire;
  private Done hears; // of the first call
  private volatile long begunNs;
  private volatile long endedNs;
  private boolean taken;

  /**
   * How the first connection came about.
   *
   * @param begunNs before its name was looked up
   * @param resolvedNs after it; begunNs without a name
   * @param readyNs when the stack's dial returned
   */
  record Dialled(long begunNs, long resolvedNs, long readyNs) {}

  FirstCaller(Caller caller, Dialled dialled, Wire wire) {
    this.caller = caller;
    this.dialled = dialled;
    this.wire = wire;
  }

  /** When the call began; the greatest number if it has not. */
  long begun() {
    return begunNs == 0 ? Long.MAX_VALUE : begunNs;
  }

  @Override
  public void start(Done done) {
    if (endedNs != 0) {
      caller.start(done);
      return;
    }
    begunNs = System.nanoTime();
    hears = done;
    caller.start(this);
  }

  @Override
  public void sent() {
    begunNs = System.nanoTime();
    hears.sent();
  }

  @Override
  public void done(CallException failure) {
    endedNs = System.nanoTime();
    hears.done(failure);
  }

  @Override
  public void cancel() {
    caller.cancel();
  }

  @Override
  public void late() {
    caller.late();
  }

  @Override
  public CallException after() {
    return caller.after();
  }

  /**
   * Returns the parts of the first call, once; null before the call and after the first time. If the call opens the connection,
   * what the stack does before the socket is open counts as connect.
   */
  FirstCall take() {
    if (taken || endedNs == 0) {
      return null;
    }
    taken = true;
    long openedNs = wire.firstOpenedNs();
    boolean inCall = openedNs != 0 && openedNs - dialled.readyNs > 0;
    Clock clock = new Clock(inCall ? begunNs : dialled.resolvedNs);
    return FirstCall.newBuilder()
        .setResolveNs(dialled.resolvedNs - dialled.begunNs)
        .setConnectNs(clock.until(openedNs))
        .setTlsNs(clock.until(securedNs()))
        .setProtocolNs(inCall ? 0 : clock.until(dialled.readyNs))
        .setInCall(inCall)
        .setCallNs(endedNs - (inCall ? clock.atNs : begunNs))
        .build();
  }

  /** Another thread reports the handshake, maybe after the call. Its part then can't be separated from the others. */
  private long securedNs() {
    long securedNs = wire.firstSecuredNs();
    return securedNs - endedNs > 0 ? 0 : securedNs;
  }

  /** Goes from point to point. */
  private static final class Clock {
    private long atNs;

    Clock(long atNs) {
      this.atNs = atNs;
    }

    /** Returns the time until a point; 0 if it was never reached, or earlier. */
    long until(long pointNs) {
      if (pointNs == 0 || pointNs - atNs <= 0) {
        return 0;
      }
      long part = pointNs - atNs;
      atNs = pointNs;
      return part;
    }
  }
}
