package rpcbench.grpc;

import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Replies;

/** A slot of ping_pong or burst. It sends one or several messages on a stream that is already open, and waits for the echoes. */
final class EchoCaller<Q, A> implements Caller {
  private final Echo<Q, A> stream;
  private Done done;

  /** The running call's replies and its place in the queue. Both, and the failure, are guarded by the stream. */
  final Replies<A> replies;
  Place<Q, A> place = new Place<>(this);
  CallException failure;

  EchoCaller(Echo<Q, A> stream, Replies<A> replies) {
    this.stream = stream;
    this.replies = replies;
  }

  @Override
  public void start(Done done) {
    replies.begin();
    this.done = done;
    stream.send(this);
  }

  @Override
  public void cancel() {
    stream.leave(this);
  }

  @Override
  public void late() {
    replies.late();
  }

  @Override
  public CallException after() {
    return replies.verify();
  }

  /** Ends a call whose echoes have all arrived. */
  void answered() {
    replies.end();
    done.done(null);
  }

  /** Ends the call with its failure. */
  void fail() {
    done.done(failure);
  }

  /**
   * A place in a stream's queue. A slot keeps its place from call to call. If it leaves before all its echoes have arrived, it
   * gets another place.
   */
  static final class Place<Q, A> {
    EchoCaller<Q, A> slot; // null if the slot has left
    boolean waiting; // it is in the queue, or will be
    int due; // echoes
    long bytes; // of the messages that were sent, and their overhead

    Place(EchoCaller<Q, A> slot) {
      this.slot = slot;
    }
  }
}
