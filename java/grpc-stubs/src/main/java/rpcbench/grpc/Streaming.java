package rpcbench.grpc;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import rpcbench.stack.Answers;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Message;

/** Calls on a stream that stays open: ours, {@link Rpc}, or of a foreign method. */
interface Streaming<Q, A> {
  Call call();

  MethodDescriptor<Q, A> method();

  /** Reads the messages that the server sends. */
  Answers<A> answers();

  /** Returns the metadata and the messages of the next stream. */
  Opening<Q> open() throws CallException;

  /** Returns the encoded length of a message that a client sends. */
  int length(Q message);

  /** A stream's metadata, which the library keeps and changes, and its messages. */
  record Opening<Q>(Metadata metadata, Messages<Q> messages) {}

  /** Makes the messages of a stream. */
  @FunctionalInterface
  interface Messages<Q> {
    /** Returns the request that carries a message. */
    Q next(Message message) throws CallException;
  }
}
