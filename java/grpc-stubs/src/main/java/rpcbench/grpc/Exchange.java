package rpcbench.grpc;

import io.grpc.Metadata;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller.Done;
import rpcbench.stack.Replies;

/** One RPC of our services. */
final class Exchange<Q, A> extends OneCall<Q, A> {
  private final RpcCaller<Q, A> caller;
  private final Replies<A> replies;
  private int received;

  Exchange(RpcCaller<Q, A> caller, Done done) {
    super(caller.link, caller.rpc.method(), caller.out, caller.in == 1, done);
    this.caller = caller;
    this.replies = caller.replies;
  }

  @Override
  Metadata metadata() {
    return caller.rpc.metadata();
  }

  @Override
  Q message(int i) {
    return caller.rpc.requests().next(replies.message(i));
  }

  @Override
  long sent(Q message) {
    return caller.requestBytes;
  }

  /** A server that does not know the metadata keeps sending after ours would end the stream. The replies so far suffice. */
  @Override
  boolean isFull() {
    return hasEnough() && hasSentAll();
  }

  private boolean hasEnough() {
    return caller.rpc.tellsServer() && received == caller.in;
  }

  @Override
  void received(A reply) {
    if (hasEnough()) {
      return; // not full yet, because the client is still sending
    }
    received++;
    replies.add(reply);
  }

  @Override
  CallException ended() {
    replies.end();
    return null;
  }
}
