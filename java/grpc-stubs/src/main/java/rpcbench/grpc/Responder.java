package rpcbench.grpc;

import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import rpcbench.stack.Held;

/** What a service makes of a request. */
interface Responder<Q, A> {
  /** Returns the answer to a request, or throws the status of a failure. */
  A respond(Q request) throws StatusException;

  /** How many bytes of payload, and of ids, an answer has. */
  long bytes(A answer);

  /** The memory for the bursts of all streams. */
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

  /** Answers the last message once the client has sent all, or none if the client sends nothing. */
  default StreamObserver<Q> answerLast(Q none, StreamObserver<A> client) {
    return new Receiving<>() {
      private Q last = none;

      @Override
      public void onNext(Q request) {
        last = request;
      }

      @Override
      public void onCompleted() {
        answer(last, client);
      }
    };
  }
}
