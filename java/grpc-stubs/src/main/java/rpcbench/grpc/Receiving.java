package rpcbench.grpc;

import io.grpc.stub.StreamObserver;

/** Receives a client's messages. If the client goes away, the library ends the call, and there is nothing to do. */
public abstract class Receiving<Q> implements StreamObserver<Q> {
  @Override
  public void onError(Throwable gone) {}
}
