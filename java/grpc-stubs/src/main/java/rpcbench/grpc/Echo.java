package rpcbench.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import rpcbench.grpc.EchoCaller.Place;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Replies;

/**
 * An open stream that slots share. A slot joins the queue and sends its messages, one or a burst; echoes come in the
 * order of the messages, and each goes to the first in the queue, which leaves it with its last. A slot that leaves
 * before its echoes have come leaves its place to them. When the stream breaks all who wait fail, and the next call
 * opens another; so it does when nobody is left who waits.
 *
 * <p>A stream that carries a number of calls is half-closed behind the last reply, and that call ends with the stream, which
 * the server ends well.
 *
 * <p>The lock is held from joining the queue until the messages are sent, so that both have one order and a burst is in
 * one piece. No slot hears that its call is over while it is held: what is done then may want other locks.
 */
final class Echo<Q, A> {
  private final Link link;
  private final Streaming<Q, A> rpc;
  private final int messages; // of a call

  // Guarded by this, all of them.
  private final ArrayDeque<Place<Q, A>> queue = new ArrayDeque<>();
  private final ArrayDeque<EchoCaller<Q, A>> failed = new ArrayDeque<>();
  private int waiting; // places in the queue that nobody has left
  private Stream stream; // null where none is open

  Echo(Link link, Streaming<Q, A> rpc) {
    this.link = link;
    this.rpc = rpc;
    this.messages = rpc.call().messagesOut();
  }

  /** Makes the Caller of a slot. */
  Caller caller(int slot) {
    return new EchoCaller<>(this, new Replies<>(rpc.call(), slot, rpc.answers()));
  }

  /** Sends the messages of a slot's call. */
  void send(EchoCaller<Q, A> slot) {
    boolean failures;
    synchronized (this) {
      queue.add(slot.place);
      slot.place.waiting = true;
      slot.place.due = messages;
      waiting++;
      if (stream == null) {
        new Stream().begin();
      }
      for (int i = 0; i < messages && slot.place.waiting; i++) { // it waits no more where a message can't be made or sent
        stream.send(slot, i);
      }
      failures = !failed.isEmpty();
    }
    if (failures) {
      announce();
    }
  }

  /** Ends the wait of a slot, if it waits. */
  void leave(EchoCaller<Q, A> slot) {
    synchronized (this) {
      if (!slot.place.waiting) {
        return;
      }
      end(slot, new CallException(Code.CANCELLED, "cancelled"));
      slot.place.slot = null;
      slot.place = new Place<>(slot);
      if (waiting == 0 && stream != null) {
        stream.drop(null); // no waiting slot is left to be told
      }
    }
    announce();
  }

  private void end(EchoCaller<Q, A> slot, CallException failure) {
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
    for (EchoCaller<Q, A> slot = nextFailed(); slot != null; slot = nextFailed()) {
      link.failed(slot.failure);
      slot.fail();
    }
  }

  private synchronized EchoCaller<Q, A> nextFailed() {
    return failed.poll();
  }

  /** The stream itself. Methods other than the listener's are called with the lock held. */
  private final class Stream extends ClientCall.Listener<A> {
    private final ClientCall<Q, A> call = link.open(rpc.method());
    private final Credit credit = link.credit(call);
    private Streaming.Messages<Q> messages;
    private int carried; // calls
    private boolean ending;

    void begin() {
      stream = this;
      try {
        Streaming.Opening<Q> opening = rpc.open();
        messages = opening.messages();
        call.start(this, opening.metadata());
        credit.open();
      } catch (CallException e) { // its metadata can't be made
        drop(e);
      } catch (RuntimeException e) { // there will be no onClose
        drop(Failure.of(Status.INTERNAL.withDescription("the stream can't be opened").withCause(e)));
      }
    }

    /** Sends message i of the slot that is the last in the queue. */
    void send(EchoCaller<Q, A> slot, int i) {
      try {
        Q message = messages.next(slot.replies.message(i));
        call.sendMessage(message);
        slot.replies.sent(rpc.length(message));
      } catch (CallException e) { // the message can't be made
        refuse(slot, i, e);
      } catch (RuntimeException e) { // IllegalStateException of a call that is over
        drop(Failure.of(Status.INTERNAL.withDescription("the stream accepts no messages").withCause(e)));
      }
    }

    /** Ends the call of the slot that is the last in the queue. Where it has sent some of its messages the stream ends too. */
    private void refuse(EchoCaller<Q, A> slot, int sent, CallException failure) {
      if (sent > 0) {
        drop(failure);
        return;
      }
      queue.removeLast();
      end(slot, failure);
    }

    /** Ends the stream and all calls that wait for it. */
    void drop(CallException failure) {
      stream = null;
      call.cancel("the stream was closed", null);
      for (Place<Q, A> place = queue.poll(); place != null; place = queue.poll()) {
        if (place.slot != null) {
          end(place.slot, failure);
        }
      }
    }

    @Override
    public void onMessage(A reply) {
      EchoCaller<Q, A> answered;
      boolean failures;
      synchronized (Echo.this) {
        if (stream != this) {
          return;
        }
        answered = take(reply);
        failures = !failed.isEmpty();
      }
      credit.take();
      if (answered != null) {
        answered.answered();
      }
      if (failures) {
        announce();
      }
    }

    /** Gives the slot whose turn it is its echo. Returns the slot if that was the last it waited for, else null. */
    private EchoCaller<Q, A> take(A reply) {
      Place<Q, A> place = queue.peek();
      if (ending) {
        drop(new CallException(Code.INTERNAL, "a message arrived that answers no request"));
        return null;
      }
      if (place == null) {
        drop(null); // a message that answers none: those that come next could not be told from answers
        return null;
      }
      place.due--;
      if (place.slot != null) {
        place.slot.replies.add(reply);
      }
      if (place.due > 0) {
        return null;
      }
      if (++carried == rpc.call().perStream()) {
        ending = true;
        call.halfClose();
        return null;
      }
      return release(place);
    }

    /** Takes the first in the queue out of it, and returns its slot, null where it was left. */
    private EchoCaller<Q, A> release(Place<Q, A> place) {
      queue.remove();
      if (place.slot != null) {
        place.waiting = false;
        waiting--;
      }
      return place.slot;
    }

    @Override
    public void onClose(Status reported, Metadata trailers) {
      Status status = link.sent(reported);
      // An end that the server calls good is none for a call that waits.
      CallException failure = status.isOk()
          ? new CallException(Code.UNAVAILABLE, "the server ended the stream")
          : Failure.of(status);
      EchoCaller<Q, A> answered = null;
      synchronized (Echo.this) {
        if (stream != this) {
          return;
        }
        if (ending && status.isOk()) {
          answered = release(queue.peek());
          stream = null;
        } else {
          drop(failure);
        }
      }
      if (answered != null) {
        answered.answered();
      }
      announce();
    }
  }
}
