package rpcbench.grpcjava;

import com.google.protobuf.ByteString;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;

/** A slot of ping_pong: it sends a message on a stream that is already open, and waits for its echo. */
final class PingPongCaller implements Caller {
  private final Echo stream;
  private final Replies replies;
  private Done done;

  /** Where the running call waits for its echo; guarded by the stream, as is the failure. */
  Place place = new Place(this);
  CallException failure;

  PingPongCaller(Echo stream, Call call) {
    this.stream = stream;
    this.replies = new Replies(call, 1);
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
  public CallException after() {
    return replies.verify();
  }

  /** Ends the call with its echo. */
  void answer(ByteString payload) {
    replies.add(payload);
    replies.end();
    done.done(null);
  }

  /** Ends the call with its failure. */
  void fail() {
    done.done(failure);
  }

  /**
   * A place in a stream's queue. A slot has one and takes it along from call to call; one that leaves before its echo
   * has come leaves the place behind, and gets another.
   */
  static final class Place {
    PingPongCaller slot; // null where it was left
    boolean waiting; // it is in the queue

    Place(PingPongCaller slot) {
      this.slot = slot;
    }
  }
}
