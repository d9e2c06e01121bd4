package rpcbench.grpc;

import io.grpc.MethodDescriptor;
import rpcbench.stack.Answers;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Method;

/** The ping_pong of somebody else's method: on an open stream each message is a call. */
record MethodStreaming(Call call, MethodDescriptor<byte[], Integer> method, Answers<Integer> answers)
    implements Streaming<byte[], Integer> {
  MethodStreaming(Call call) {
    this(call, RawMessages.method(call.method().name(), call.kind()), Answers.single(length -> length, length -> null));
  }

  @Override
  public Opening<byte[]> open() throws CallException {
    Method asked = call.method();
    long opened = asked.ledger().nextCall();
    return new Opening<>(MethodMetadata.of(asked, opened), new Messages<byte[]>() {
      private int sent;

      @Override
      public byte[] next(long first) throws CallException {
        long number = sent == 0 ? opened : asked.ledger().nextCall();
        byte[] message = asked.requests().message(number, sent);
        sent++;
        asked.ledger().sent(1, message.length);
        return message;
      }
    });
  }
}
