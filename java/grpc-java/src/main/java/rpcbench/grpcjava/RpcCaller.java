package rpcbench.grpcjava;

import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;

/** A slot whose every call is one RPC: unary, stream, upload, download. */
final class RpcCaller implements Caller {
  /** gRPC's prefix of a message: a flag and the length. */
  private static final int FRAME_BYTES = 5;

  final Link link;
  final Rpc rpc;
  final SimpleRequest request;
  final long messageBytes; // of one on the wire, framed
  final int responseBytes;
  final Replies replies;
  private volatile Exchange running;

  RpcCaller(Link link, Call call) {
    this.link = link;
    this.rpc = Rpc.of(call);
    this.request = Rpc.request(call);
    this.messageBytes = request.getSerializedSize() + FRAME_BYTES;
    this.responseBytes = call.responseBytes();
    this.replies = new Replies(call, rpc.in());
  }

  @Override
  public void start(Done done) {
    replies.begin();
    Exchange exchange = new Exchange(this, done);
    running = exchange;
    exchange.begin();
  }

  @Override
  public void cancel() {
    Exchange exchange = running;
    if (exchange != null) {
      exchange.cancel();
    }
  }

  @Override
  public CallException after() {
    running = null;
    return replies.verify();
  }
}
