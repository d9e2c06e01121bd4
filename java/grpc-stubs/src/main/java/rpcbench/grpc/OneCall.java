package rpcbench.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller.Done;

/**
 * One RPC, of our services or others, that sends messages while it receives some. The library calls the listener's methods one at
 * a time. begin runs concurrently with them, send and cancel with everything.
 */
abstract class OneCall<Q, A> extends ClientCall.Listener<A> {
  /**
   * Bytes to send before the stream reports that it is ready, which takes a turn of the event loop. The library also allows this
   * much to wait in a ready stream (AbstractStream.TransportState.DEFAULT_ONREADY_THRESHOLD).
   */
  private static final long EAGER_BYTES = 32 << 10;

  private final Link link;
  private final int count; // of messages to send
  private final boolean single; // exactly one reply is expected
  private final boolean oneReply; // the method has no more
  private final Done done;
  private final ClientCall<Q, A> call;
  private final Credit credit;

  private boolean answered; // only the listener uses it
  private volatile boolean started;
  private volatile boolean cancelled;
  private boolean begun; // messages may be sent; guarded by this, as all fields below
  private int sent;
  private long sentBytes;
  private boolean closed; // half-closed
  private boolean over;

  OneCall(Link link, MethodDescriptor<Q, A> method, int count, boolean single, Done done) {
    this.link = link;
    this.count = count;
    this.single = single;
    this.oneReply = method.getType().serverSendsOneMessage();
    this.done = done;
    this.call = link.open(method);
    this.credit = link.credit(call);
  }

  abstract Metadata metadata() throws CallException;

  /** Returns message i, or null if it is not due yet; send must then be called again. */
  abstract Q message(int i) throws CallException;

  /** Notes that a message was sent, and returns its length. */
  abstract long sent(Q message);

  /** Reports whether the call is complete, whatever else the server sends. Only the listener calls this and the next two. */
  abstract boolean isFull();

  abstract void received(A reply);

  /** Judges a call that the server ended with OK, or that is full. Returns null if it is good. */
  abstract CallException ended();

  final void begin() {
    try {
      call.start(this, metadata());
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
    if (single) {
      call.request(2); // as the library's stubs do, because a second message would be an error and must be detected
    } else {
      credit.open();
    }
    synchronized (this) {
      begun = true;
    }
    send();
  }

  /** Cancels the call. If the call has not started, begin does so: the library does not allow it earlier. */
  final void cancel() {
    cancelled = true;
    if (started) {
      call.cancel("cancelled", null);
    }
  }

  /** Sends the messages that are due while the stream accepts them. It is called again when more are due or accepted. */
  final void send() {
    CallException failure = null;
    synchronized (this) {
      if (!begun || over || closed) {
        return;
      }
      try {
        sendDue();
      } catch (CallException e) {
        failure = e;
      } catch (IllegalStateException e) { // canceled meanwhile, which onClose reports
        call.cancel("the call accepts no messages", e);
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
    while (sent < count) {
      Q message = sentBytes < EAGER_BYTES || call.isReady() ? message(sent) : null;
      if (message == null) {
        return;
      }
      call.sendMessage(message);
      sent++;
      sentBytes += sent(message);
    }
    closed = true;
    call.halfClose();
  }

  @Override
  public final void onReady() {
    send();
  }

  @Override
  public final void onMessage(A reply) {
    if (isOver()) {
      return;
    }
    if (oneReply && answered) {
      finish(Failure.ofReplies(2));
      call.cancel("more than one reply came", null);
      return;
    }
    answered = true;
    if (isFull()) {
      finish(ended());
      call.cancel("all messages have come", null);
      return;
    }
    received(reply);
    if (!single) {
      credit.take();
    }
  }

  @Override
  public final void onClose(Status reported, Metadata trailers) {
    if (isOver()) {
      return;
    }
    Status status = link.sent(reported);
    if (status.isOk()) {
      finish(oneReply && !answered ? Failure.ofReplies(0) : ended());
    } else {
      CallException failure = Failure.of(status);
      link.failed(failure);
      finish(failure);
    }
  }

  final synchronized boolean hasSentAll() {
    return closed;
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
