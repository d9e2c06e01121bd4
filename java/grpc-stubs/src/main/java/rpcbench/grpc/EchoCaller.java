package rpcbench.grpc;

import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Replies;

/**
 * A slot of ping_pong or burst: it sends a message, or several, on a stream that is already open, and waits for the
 * echoes.
 */
final class EchoCaller<Q, A> implements Caller {
  private final Echo<Q, A> stream;
  private Done done;

  /** What has come for the running call, and where it waits for more; guarded by the stream, as is the failure. */
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

  /** Ends the call, all of whose echoes have come. */
  void answered() {
    replies.end();
    done.done(null);
  }

  /** Ends the call with its failure. */
  void fail() {
    done.done(failure);
  }

  /**
   * A place in a stream's queue. A slot has one and takes it along from call to call; one that leaves before all its
   * echoes have come leaves the place behind, and gets another.
   */
  static final class Place<Q, A> {
    EchoCaller<Q, A> slot; // null where it was left
    boolean waiting; // it is in the queue
    int due; // echoes

    Place(EchoCaller<Q, A> slot) {
      this.slot = slot;
    }
  }
}
