package rpcbench.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller.Done;
import rpcbench.stack.Code;

/**
 * One RPC of somebody else's method. The library calls the methods of the listener one after another; begin runs beside them,
 * send and cancel beside all.
 */
final class MethodExchange extends ClientCall.Listener<Integer> {
  private final MethodCaller caller;
  private final Done done;
  private final long number; // the call's
  private final int count; // of messages to send
  private final ClientCall<byte[], Integer> call;
  private final Credit credit;

  private volatile boolean started;
  private volatile boolean cancelled;
  private int received; // the listener's, as the bytes
  private long bytesIn;
  private boolean begun; // messages may be sent; guarded by this, as all below
  private int sent;
  private long bytesOut;
  private boolean closed; // half
  private boolean over;
  private boolean endedWell;

  MethodExchange(MethodCaller caller, Done done, long number) {
    this.caller = caller;
    this.done = done;
    this.number = number;
    this.count = caller.messages(number);
    this.call = caller.link.open(caller.descriptor);
    this.credit = caller.link.credit(call);
  }

  void begin() {
    try {
      call.start(this, MethodMetadata.of(caller.method, number));
    } catch (CallException e) { // it was not sent
      finish(e);
      return;
    } catch (RuntimeException e) { // there will be no onClose
      finish(Failure.of(Status.INTERNAL.withDescription("the call can't be started").withCause(e)));
      return;
    }
    started = true;
    if (cancelled) {
      call.cancel("cancelled", null);
      return;
    }
    if (caller.wantsOne()) {
      call.request(2); // as the library's stubs do: a second message would be an error, and must be seen
    } else {
      credit.open();
    }
    synchronized (this) {
      begun = true;
    }
    send();
  }

  /** Before the call has started it must not be cancelled; then begin does it. */
  void cancel() {
    cancelled = true;
    if (started) {
      call.cancel("cancelled", null);
    }
  }

  /** Sends the messages that are due, as long as the stream takes some. When more are due, or it takes more, it goes on. */
  void send() {
    CallException failure = null;
    synchronized (this) {
      if (!begun || over || closed) {
        return;
      }
      try {
        sendDue();
      } catch (CallException e) {
        failure = e;
      } catch (IllegalStateException e) { // it was cancelled meanwhile; onClose tells
        call.cancel("the call takes no messages", e);
      } catch (RuntimeException e) {
        failure = Failure.of(Status.INTERNAL.withDescription("a message can't be made").withCause(e));
      }
    }
    if (failure != null) {
      finish(failure);
      call.cancel("a message can't be made", null);
    }
  }

  private void sendDue() throws CallException {
    while (sent < count && (bytesOut < Exchange.EAGER_BYTES || call.isReady())) {
      if (!caller.times.sending(sent)) {
        return;
      }
      byte[] message = caller.method.requests().message(number, sent);
      call.sendMessage(message);
      sent++;
      bytesOut += message.length;
    }
    if (sent == count) {
      closed = true;
      call.halfClose();
    }
  }

  @Override
  public void onReady() {
    send();
  }

  @Override
  public void onMessage(Integer length) {
    if (isOver()) {
      return;
    }
    if (caller.repliesMost() > 0 && received == caller.repliesMost()) {
      finish(null);
      call.cancel("all messages have come", null);
      return;
    }
    received++;
    bytesIn += length;
    caller.times.reply();
    if (!caller.wantsOne()) {
      credit.take();
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (isOver()) {
      return;
    }
    if (!status.isOk()) {
      CallException failure = Failure.of(status);
      caller.link.failed(failure);
      finish(failure);
    } else if (caller.wantsOne() && received == 0) {
      finish(new CallException(Code.INTERNAL, "the server said OK and sent no reply"));
    } else {
      finish(null);
    }
  }

  /** How many replies a call had that the server ended well; 0 of another. */
  synchronized int goodReplies() {
    return endedWell ? received : 0;
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
      endedWell = failure == null;
      if (endedWell && !(caller.wantsOne() && received > 1)) { // that is a mismatch, and no good call
        caller.method.ledger().sent(sent, bytesOut);
        caller.method.ledger().received(received, bytesIn);
      }
    }
    done.done(failure);
  }
}
