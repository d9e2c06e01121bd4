package rpcbench.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import rpcbench.grpc.EchoCaller.Place;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Replies;

/**
 * An open stream that slots share. A slot joins the queue and sends its messages, one or a burst. Echoes come in the order of the
 * messages. Each belongs to the first slot in the queue, which leaves with its last echo. A slot that leaves earlier leaves its
 * place behind. When the stream breaks, all waiting slots fail, and the next call opens another stream. The same happens when no
 * slot is waiting any more.
 *
 * <p>Libraries keep what the server does not read, without a limit. While the messages of slots that have left are many, those of
 * further calls are not sent, so that a slot that leaves then leaves nothing behind.
 *
 * <p>A stream that carries a limited number of calls is half-closed after the last reply. That call ends when the server ends the
 * stream with OK.
 *
 * <p>The lock is held from joining the queue until the messages are sent, so that both have the same order and a burst is not
 * interrupted. No slot is notified while it is held, because what a slot does next may need other locks.
 */
final class Echo<Q, A> {
  private static final long LEFT_BYTES_MAX = 1 << 20; // of slots that have left, while more is sent
  private static final int PLACE_BYTES = 256; // the approximate overhead of a call's messages

  private final Link link;
  private final Streaming<Q, A> rpc;

  // Guarded by this, as all fields below.
  private final ArrayDeque<Place<Q, A>> queue = new ArrayDeque<>();
  private final ArrayDeque<EchoCaller<Q, A>> failed = new ArrayDeque<>();
  private final LinkedHashSet<EchoCaller<Q, A>> unsent = new LinkedHashSet<>(); // waiting for their turn to send
  private int waiting; // slots, unsent or with a place in the queue
  private Stream stream; // null if none is open

  Echo(Link link, Streaming<Q, A> rpc) {
    this.link = link;
    this.rpc = rpc;
  }

  /** Creates the Caller of a slot. */
  Caller caller(int slot) {
    return new EchoCaller<>(this, new Replies<>(rpc.call(), slot, rpc.answers()));
  }

  /** Sends the messages of a slot's call, or has it wait for its turn. */
  void send(EchoCaller<Q, A> slot) {
    boolean failures;
    synchronized (this) {
      slot.place.waiting = true;
      waiting++;
      if (stream != null && unsent.isEmpty() && stream.hasRoom()) {
        stream.sendAll(slot);
      } else {
        unsent.add(slot);
        if (stream == null) {
          new Stream().begin();
        }
        sendUnsent();
      }
      failures = !failed.isEmpty();
    }
    if (failures) {
      announce();
    }
  }

  /** Sends the messages of the slots whose turn it is. */
  private void sendUnsent() {
    while (!unsent.isEmpty() && stream.hasRoom()) { // a stream that breaks leaves none unsent
      EchoCaller<Q, A> next = unsent.iterator().next();
      unsent.remove(next);
      stream.sendAll(next);
    }
  }

  /** Ends the wait of a slot, if it is waiting. */
  void leave(EchoCaller<Q, A> slot) {
    synchronized (this) {
      if (!slot.place.waiting) {
        return;
      }
      end(slot, new CallException(Code.CANCELLED, "cancelled"));
      if (!unsent.remove(slot)) {
        stream.leftBytes += slot.place.bytes;
        slot.place.slot = null;
        slot.place = new Place<>(slot);
      }
      if (waiting == 0 && stream != null) {
        stream.drop(null); // no waiting slot has to be notified
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

  /** Notifies the slots that have failed. */
  private void announce() {
    if (Thread.holdsLock(this)) {
      return; // a stream that failed while it was opened; its opener announces
    }
    for (EchoCaller<Q, A> slot = nextFailed(); slot != null; slot = nextFailed()) {
      link.failed(slot.failure);
      slot.fail();
    }
  }

  private synchronized EchoCaller<Q, A> nextFailed() {
    return failed.poll();
  }

  /** The stream. All methods but the listener's are called with the lock held. */
  private final class Stream extends ClientCall.Listener<A> {
    private final ClientCall<Q, A> call = link.open(rpc.method());
    private final Credit credit = link.credit(call);
    private Streaming.Messages<Q> messages;
    private int carried; // calls
    private long leftBytes; // sent by slots that have left, and not yet answered
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

    boolean hasRoom() {
      return leftBytes <= LEFT_BYTES_MAX;
    }

    /** Has a slot join the queue, and sends its messages. */
    void sendAll(EchoCaller<Q, A> slot) {
      queue.add(slot.place);
      slot.place.due = rpc.call().messagesOut();
      slot.place.bytes = PLACE_BYTES;
      for (int i = 0; i < rpc.call().messagesOut() && slot.place.waiting; i++) { // false once a message can't be made or sent
        send(slot, i);
      }
    }

    /** Sends message i of the last slot in the queue. */
    private void send(EchoCaller<Q, A> slot, int i) {
      try {
        Q message = messages.next(slot.replies.message(i));
        call.sendMessage(message);
        int length = rpc.length(message);
        slot.place.bytes += length;
        slot.replies.sent(length);
      } catch (CallException e) { // the message can't be made
        refuse(slot, i, e);
      } catch (RuntimeException e) { // IllegalStateException of a call that is over
        drop(Failure.of(Status.INTERNAL.withDescription("the stream accepts no messages").withCause(e)));
      }
    }

    /** Ends the call of the last slot in the queue. If it has sent some of its messages, the stream ends too. */
    private void refuse(EchoCaller<Q, A> slot, int sent, CallException failure) {
      if (sent > 0) {
        drop(failure);
        return;
      }
      queue.removeLast();
      end(slot, failure);
    }

    /** Ends the stream and all calls that are waiting for it. */
    void drop(CallException failure) {
      stream = null;
      call.cancel("the stream was closed", null);
      for (Place<Q, A> place = queue.poll(); place != null; place = queue.poll()) {
        if (place.slot != null) {
          end(place.slot, failure);
        }
      }
      unsent.forEach(slot -> end(slot, failure));
      unsent.clear();
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
        sendUnsent();
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

    /** Passes an echo to the slot at the head of the queue. Returns the slot if it was the slot's last, otherwise null. */
    private EchoCaller<Q, A> take(A reply) {
      Place<Q, A> place = queue.peek();
      if (ending) {
        drop(new CallException(Code.INTERNAL, "a message arrived that answers no request"));
        return null;
      }
      if (place == null) {
        drop(null); // an unsolicited message: later messages could not be matched with requests
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

    /** Removes the head of the queue and returns its slot, null if the slot has left. */
    private EchoCaller<Q, A> release(Place<Q, A> place) {
      queue.remove();
      if (place.slot == null) {
        leftBytes -= place.bytes;
        return null;
      }
      place.waiting = false;
      waiting--;
      return place.slot;
    }

    @Override
    public void onClose(Status reported, Metadata trailers) {
      Status status = link.sent(reported);
      // A call that is waiting has failed even if the server ends the stream with OK.
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
