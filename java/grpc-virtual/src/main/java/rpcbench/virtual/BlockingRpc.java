package rpcbench.virtual;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.StatusException;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.Executor;
import rpcbench.grpc.Failure;
import rpcbench.grpc.Link;
import rpcbench.grpc.Rpc;
import rpcbench.stack.CallException;
import rpcbench.stack.Kind;
import rpcbench.stack.Replies;

/** A slot that calls our services. */
final class BlockingRpc<Q, A> extends BlockingStub {
  private final Rpc<Q, A> rpc;
  private final Channel channel;
  private final Replies<A> replies;

  BlockingRpc(Link link, Rpc<Q, A> rpc, int slot, Executor threads) {
    super(link, threads);
    this.rpc = rpc;
    this.channel =
        ClientInterceptors.intercept(link.channel(), MetadataUtils.newAttachHeadersInterceptor(rpc.metadata()));
    this.replies = new Replies<>(rpc.call(), slot, rpc.answers());
  }

  @Override
  void callStub() throws CallException, StatusException, InterruptedException {
    replies.begin();
    switch (rpc.call().kind()) {
      case Kind.DOWNLOAD -> download();
      case Kind.UPLOAD -> upload();
      default -> replies.add(ClientCalls.blockingUnaryCall(channel, rpc.method(), link.options(), request(0)));
    }
    replies.end();
  }

  private void download() throws CallException, StatusException, InterruptedException {
    BlockingClientCall<Q, A> call =
        ClientCalls.blockingV2ServerStreamingCall(channel, rpc.method(), link.options(), request(0));
    whole(call, () -> receive(call));
  }

  /** A server that does not know the metadata keeps sending after ours would end the stream. The answers so far suffice. */
  private void receive(BlockingClientCall<Q, A> call) throws StatusException, InterruptedException {
    for (int i = 0; i < rpc.call().messagesIn(); i++) {
      A answer = call.read();
      if (answer == null) {
        return; // too few, which is detected later
      }
      replies.add(answer);
    }
    if (call.read() != null) {
      call.cancel("all messages have come", null);
    }
  }

  private void upload() throws CallException, StatusException, InterruptedException {
    BlockingClientCall<Q, A> call = ClientCalls.blockingClientStreamingCall(channel, rpc.method(), link.options());
    whole(call, () -> send(call));
  }

  private void send(BlockingClientCall<Q, A> call) throws CallException, StatusException, InterruptedException {
    for (int i = 0; i < rpc.call().messagesOut(); i++) {
      if (!call.write(request(i))) {
        break; // it has ended, and read reports why
      }
    }
    call.halfClose();
    A answer = call.read();
    if (answer == null) {
      throw Failure.ofReplies(0);
    }
    replies.add(answer);
  }

  private Q request(int message) {
    return rpc.requests().next(replies.message(message));
  }

  @Override
  public void late() {
    replies.late();
  }

  @Override
  public CallException after() {
    return replies.verify();
  }
}
