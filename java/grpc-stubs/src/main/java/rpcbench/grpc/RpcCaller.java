package rpcbench.grpc;

import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Replies;

/** A slot whose calls are RPCs: unary, stream, upload, download. */
final class RpcCaller<Q, A> implements Caller {
  final Link link;
  final Rpc<Q, A> rpc;
  final int out; // messages of a call
  final int in;
  final long requestBytes; // of one message on the wire
  final Replies<A> replies;
  private volatile Exchange<Q, A> running;

  RpcCaller(Link link, Rpc<Q, A> rpc, int slot) {
    this.link = link;
    this.rpc = rpc;
    this.out = rpc.call().messagesOut();
    this.in = rpc.call().messagesIn();
    this.requestBytes = rpc.requestBytes();
    this.replies = new Replies<>(rpc.call(), slot, rpc.answers());
  }

  @Override
  public void start(Done done) {
    replies.begin();
    Exchange<Q, A> exchange = new Exchange<>(this, done);
    running = exchange;
    exchange.begin();
  }

  @Override
  public void cancel() {
    Exchange<Q, A> exchange = running;
    if (exchange != null) {
      exchange.cancel();
    }
  }

  @Override
  public void late() {
    replies.late();
  }

  @Override
  public CallException after() {
    running = null;
    return replies.verify();
  }
}
