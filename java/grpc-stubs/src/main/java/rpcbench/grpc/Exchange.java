package rpcbench.grpc;

import com.google.protobuf.MessageLite;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller.Done;

/**
 * One RPC that sends a number of messages while it receives a number of them. The library calls the methods of the
 * listener one after another; begin runs beside them, and cancel beside all.
 */
final class Exchange<Q extends MessageLite, A> extends ClientCall.Listener<A> {
  /**
   * So much is sent before the stream says that it is ready, which takes it a turn of the event loop: as much as the
   * library lets wait in a stream that is ready (AbstractStream.TransportState.DEFAULT_ONREADY_THRESHOLD).
   */
  static final long EAGER_BYTES = 32 << 10;

  private final RpcCaller<Q, A> caller;
  private final Done done;
  private final ClientCall<Q, A> call;
  private final Credit credit;

  private volatile boolean begun;
  private volatile boolean cancelled;
  private int received;
  private int sent; // guarded by this, as all below
  private boolean over;

  Exchange(RpcCaller<Q, A> caller, Done done) {
    this.caller = caller;
    this.done = done;
    this.call = caller.link.open(caller.rpc.method());
    this.credit = caller.link.credit(call);
  }

  void begin() {
    try {
      call.start(this, caller.rpc.metadata());
    } catch (RuntimeException e) { // there will be no onClose
      finish(Failure.of(Status.INTERNAL.withDescription("the call can't be started").withCause(e)));
      return;
    }
    begun = true;
    if (cancelled) {
      call.cancel("cancelled", null);
      return;
    }
    if (caller.in == 1) {
      call.request(2); // as the library's stubs do: a second message would be an error, and must be seen
    } else {
      credit.open();
    }
    send();
  }

  /** Before the call has started it must not be cancelled; then begin does it. */
  void cancel() {
    cancelled = true;
    if (begun) {
      call.cancel("cancelled", null);
    }
  }

  /** Sends as long as the stream takes messages. When it does again, onReady goes on. */
  private synchronized void send() {
    int count = caller.out;
    if (over || sent == count) {
      return;
    }
    try {
      while (sent < count && (sent * caller.requestBytes < EAGER_BYTES || call.isReady())) {
        call.sendMessage(caller.rpc.requests().next(caller.replies.firstId(sent)));
        sent++;
      }
      if (sent == count) {
        call.halfClose();
      }
    } catch (IllegalStateException e) { // it was cancelled meanwhile; onClose tells
      call.cancel("the call takes no messages", e);
    }
  }

  @Override
  public void onReady() {
    send();
  }

  @Override
  public void onMessage(A response) {
    if (isOver()) {
      return;
    }
    if (caller.rpc.isDownload() && received == caller.in) {
      // A server that does not know the metadata goes on where ours ends the stream. It has sent enough.
      caller.replies.end();
      finish(null);
      call.cancel("all messages have come", null);
      return;
    }
    received++;
    caller.replies.add(response);
    if (caller.in > 1) {
      credit.take();
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (isOver()) {
      return;
    }
    if (status.isOk()) {
      caller.replies.end();
      finish(null);
    } else {
      CallException failure = Failure.of(status);
      caller.link.failed(failure);
      finish(failure);
    }
  }

  private synchronized boolean isOver() {
    return over;
  }

  private void finish(CallException failure) {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
    }
    done.done(failure);
  }
}
