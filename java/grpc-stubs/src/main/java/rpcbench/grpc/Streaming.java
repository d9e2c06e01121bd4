package rpcbench.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import rpcbench.stack.Answers;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Message;

/** What calls on a stream that stays open are: ours, {@link Rpc}, or of a foreign method. */
interface Streaming<Q, A> {
  Call call();

  MethodDescriptor<Q, A> method();

  /** Reads the messages that the server sends. */
  Answers<A> answers();

  /** Makes what the next stream sends. */
  Opening<Q> open() throws CallException;

  /** How long a message of a foreign service is. */
  default int length(Q message) {
    return 0;
  }

  /** A stream's metadata, which the library keeps and changes, and its messages. */
  record Opening<Q>(Metadata metadata, Messages<Q> messages) {}

  /** Makes the messages of a stream. */
  @FunctionalInterface
  interface Messages<Q> {
    /** Makes the next message, which has what message says. */
    Q next(Message message) throws CallException;
  }
}
