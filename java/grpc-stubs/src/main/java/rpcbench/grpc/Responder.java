package rpcbench.grpc;

import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.grpc.stub.StreamObservers;
import java.util.Collections;
import rpcbench.stack.Held;

/** Computes a service's answers. */
interface Responder<Q, A> {
  /** Returns the answer to a request, or throws the status of a failure. */
  A respond(Q request) throws StatusException;

  /** Returns the number of bytes of an answer's payloads and ids. */
  long bytes(A answer);

  /** Returns the memory for the bursts of all streams. */
  Held held();

  /** Answers one request. */
  default void answer(Q request, StreamObserver<A> client) {
    try {
      client.onNext(respond(request));
      client.onCompleted();
    } catch (StatusException e) {
      client.onError(e);
    }
  }

  /** Answers as often as the metadata says; without it until the client cancels, as gRPC's own servers do. */
  default void answerMany(Q request, StreamObserver<A> client) {
    ServerCallStreamObserver<A> to = (ServerCallStreamObserver<A>) client;
    to.setOnCancelHandler(() -> {}); // without a handler, the library throws if a message crosses a cancellation
    try {
      A answer = respond(request);
      int count = MessageCount.FROM_SERVER.current();
      StreamObservers.copyWithFlowControl(Collections.nCopies(count < 0 ? Integer.MAX_VALUE : count, answer), to);
    } catch (StatusException e) {
      client.onError(e);
    }
  }

  /** Answers every message of a stream. */
  default StreamObserver<Q> answerEach(StreamObserver<A> client) {
    return new Echoing<>(this, (ServerCallStreamObserver<A>) client);
  }

  /** Answers the first message of a stream again and again, as often as the metadata says. */
  default StreamObserver<Q> answerBothWays(StreamObserver<A> client) {
    return new BothWays<>(this, (ServerCallStreamObserver<A>) client, MessageCount.FROM_SERVER.current());
  }

  /** Reports whether a request has the server do something, whoever takes the answer. */
  default boolean works(Q request) {
    return false;
  }

  /**
   * Answers the last message once the client has sent all, or none if the client sends nothing. Messages before it are responded
   * to if they have the server do something.
   */
  default StreamObserver<Q> answerLast(Q none, StreamObserver<A> client) {
    return new Receiving<>() {
      private Q last = none;
      private boolean refused;

      @Override
      public void onNext(Q request) {
        if (!refused && works(last)) {
          try {
            respond(last);
          } catch (StatusException e) {
            refused = true;
            client.onError(e);
          }
        }
        last = request;
      }

      @Override
      public void onCompleted() {
        if (!refused) {
          answer(last, client);
        }
      }
    };
  }
}
