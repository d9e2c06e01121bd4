package rpcbench.grpcjava;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.util.ArrayDeque;
import rpcbench.grpcjava.PingPongCaller.Place;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

/**
 * An open stream that slots share. A slot sends and joins the queue; echoes come in the order of the messages, and each
 * goes to the first in the queue. A slot that leaves before its echo has come leaves its place to that echo. When the
 * stream breaks all who wait fail, and the next call opens another; so it does when nobody is left who waits.
 *
 * <p>The lock is held from joining the queue until the message is sent, so that both have one order. No slot hears that
 * its call is over while it is held: what is done then may want other locks.
 */
final class Echo {
  private final Link link;
  private final SimpleRequest request;
  private final int responseBytes;

  // Guarded by this, all of them.
  private final ArrayDeque<Place> queue = new ArrayDeque<>();
  private final ArrayDeque<PingPongCaller> failed = new ArrayDeque<>();
  private int waiting; // places in the queue that nobody has left
  private Stream stream; // null where none is open

  Echo(Link link, Call call) {
    this.link = link;
    this.request = Rpc.request(call);
    this.responseBytes = call.responseBytes();
  }

  /** Sends a message for a slot. */
  void send(PingPongCaller slot) {
    boolean failures;
    synchronized (this) {
      queue.add(slot.place);
      slot.place.waiting = true;
      waiting++;
      if (stream == null) {
        new Stream().begin();
      }
      if (stream != null) {
        stream.send();
      }
      failures = !failed.isEmpty();
    }
    if (failures) {
      announce();
    }
  }

  /** Ends the wait of a slot, if it waits. */
  void leave(PingPongCaller slot) {
    synchronized (this) {
      if (!slot.place.waiting) {
        return;
      }
      end(slot, new CallException(Code.CANCELLED, "cancelled"));
      slot.place.slot = null;
      slot.place = new Place(slot);
      if (waiting == 0 && stream != null) {
        stream.drop(null); // no waiting slot is left to be told
      }
    }
    announce();
  }

  private void end(PingPongCaller slot, CallException failure) {
    slot.place.waiting = false;
    slot.failure = failure;
    failed.add(slot);
    waiting--;
  }

  /** Tells the slots that have failed. */
  private void announce() {
    if (Thread.holdsLock(this)) {
      return; // a stream that failed as it was opened; the one who opens it announces
    }
    for (PingPongCaller slot = nextFailed(); slot != null; slot = nextFailed()) {
      link.failed(slot.failure);
      slot.fail();
    }
  }

  private synchronized PingPongCaller nextFailed() {
    return failed.poll();
  }

  /** The stream itself. Methods other than the listener's are called with the lock held. */
  private final class Stream extends ClientCall.Listener<SimpleResponse> {
    private final ClientCall<SimpleRequest, SimpleResponse> call =
        link.open(BenchmarkServiceGrpc.getStreamingCallMethod());
    private final Credit credit = new Credit(call, responseBytes);

    void begin() {
      stream = this;
      try {
        call.start(this, new Metadata());
        credit.open();
      } catch (RuntimeException e) { // there will be no onClose
        drop(Failure.of(Status.INTERNAL.withDescription("the stream can't be opened").withCause(e)));
      }
    }

    void send() {
      try {
        call.sendMessage(request);
      } catch (IllegalStateException e) {
        drop(Failure.of(Status.INTERNAL.withDescription("the stream takes no message").withCause(e)));
      }
    }

    /** Ends the stream and all calls that wait for it. */
    void drop(CallException failure) {
      stream = null;
      call.cancel("the stream was left", null);
      for (Place place = queue.poll(); place != null; place = queue.poll()) {
        if (place.slot != null) {
          end(place.slot, failure);
        }
      }
    }

    @Override
    public void onMessage(SimpleResponse response) {
      PingPongCaller slot;
      synchronized (Echo.this) {
        if (stream != this) {
          return;
        }
        slot = next();
      }
      credit.take();
      if (slot != null) {
        slot.answer(response.getPayload().getBody());
      }
    }

    /** Returns the slot whose echo has come; null where it has left. */
    private PingPongCaller next() {
      Place place = queue.poll();
      if (place == null) {
        drop(null); // a message that answers none: those that come next could not be told from answers
        return null;
      }
      if (place.slot != null) {
        place.waiting = false;
        waiting--;
      }
      return place.slot;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      // An end that the server calls good is none for a call that waits.
      CallException failure = status.isOk()
          ? new CallException(Code.UNAVAILABLE, "the server ended the stream")
          : Failure.of(status);
      synchronized (Echo.this) {
        if (stream != this) {
          return;
        }
        drop(failure);
      }
      announce();
    }
  }
}
