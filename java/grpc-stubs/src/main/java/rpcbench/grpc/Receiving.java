package rpcbench.grpc;

import io.grpc.stub.StreamObserver;

/** Receives a client's messages. When the client is gone the library has ended the call, and there is nothing to do. */
public abstract class Receiving<Q> implements StreamObserver<Q> {
  @Override
  public void onError(Throwable gone) {}
}
