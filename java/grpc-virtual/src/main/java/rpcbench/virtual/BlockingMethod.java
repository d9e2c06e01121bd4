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
import rpcbench.grpc.MethodRpc;
import rpcbench.stack.CallException;
import rpcbench.stack.Kind;
import rpcbench.stack.Ledger;
import rpcbench.stack.MessageTimes;

/** A slot that calls a foreign method. */
final class BlockingMethod extends BlockingStub {
  private final MethodRpc rpc;
  private final MessageTimes times;
  private Ledger.Entry carried; // by the call; null if the server did not end it with OK
  private boolean late;

  BlockingMethod(Link link, MethodRpc rpc, Executor threads) {
    super(link, threads);
    this.rpc = rpc;
    this.times = new MessageTimes(rpc.call(), this::wake);
  }

  @Override
  void callStub() throws CallException, StatusException, InterruptedException {
    carried = null;
    late = false;
    times.begin();
    long number = rpc.nextCall();
    Ledger.Entry entry = new Ledger.Entry();
    Channel channel =
        ClientInterceptors.intercept(link.channel(), MetadataUtils.newAttachHeadersInterceptor(rpc.metadata(number)));
    switch (rpc.call().kind()) {
      case Kind.DOWNLOAD -> download(channel, number, entry);
      case Kind.UPLOAD -> upload(channel, number, entry);
      default -> unary(channel, number, entry);
    }
    carried = entry;
  }

  private void unary(Channel channel, long number, Ledger.Entry entry) throws CallException {
    byte[] message = rpc.message(number, 0);
    entry.sent(message.length);
    entry.received(ClientCalls.blockingUnaryCall(channel, rpc.method(), link.options(), message));
  }

  private void download(Channel channel, long number, Ledger.Entry entry)
      throws CallException, StatusException, InterruptedException {
    byte[] message = rpc.message(number, 0);
    entry.sent(message.length);
    BlockingClientCall<byte[], Integer> call =
        ClientCalls.blockingV2ServerStreamingCall(channel, rpc.method(), link.options(), message);
    whole(call, () -> receive(call, entry));
  }

  private void receive(BlockingClientCall<byte[], Integer> call, Ledger.Entry entry)
      throws StatusException, InterruptedException {
    for (Integer length = call.read(); length != null; length = call.read()) {
      if (rpc.isFull(entry.messagesIn())) {
        call.cancel("all messages have come", null);
        return;
      }
      entry.received(length);
      times.reply();
    }
  }

  private void upload(Channel channel, long number, Ledger.Entry entry)
      throws CallException, StatusException, InterruptedException {
    BlockingClientCall<byte[], Integer> call =
        ClientCalls.blockingClientStreamingCall(channel, rpc.method(), link.options());
    whole(call, () -> {
      send(call, number, entry);
      call.halfClose();
      for (Integer length = call.read(); length != null; length = call.read()) {
        entry.received(length);
      }
    });
    if (entry.messagesIn() != 1) {
      throw Failure.ofReplies(entry.messagesIn());
    }
  }

  private void send(BlockingClientCall<byte[], Integer> call, long number, Ledger.Entry entry)
      throws CallException, StatusException, InterruptedException {
    int count = rpc.messages(number);
    for (int i = 0; i < count; i++) {
      while (!times.sending(i)) {
        pause();
      }
      byte[] message = rpc.message(number, i);
      if (!call.write(message)) {
        return; // it has ended, and read reports why
      }
      entry.sent(message.length);
    }
  }

  @Override
  public void late() {
    late = true;
  }

  @Override
  public CallException after() {
    Ledger.Entry entry = carried;
    carried = null;
    if (entry != null) {
      rpc.count(entry, late);
    }
    return null;
  }
}
