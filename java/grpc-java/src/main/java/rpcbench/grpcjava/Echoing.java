package rpcbench.grpcjava;

import io.grpc.StatusException;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.grpc.stub.ServerCallStreamObserver;

/**
 * Answers every message of a stream. It asks for the next only while the stream takes answers, so that a client that
 * does not read can't fill the memory. The library calls its methods one after another.
 */
final class Echoing extends Receiving {
  private final BenchmarkService service;
  private final ServerCallStreamObserver<SimpleResponse> client;
  private boolean full;
  private boolean failed;

  Echoing(BenchmarkService service, ServerCallStreamObserver<SimpleResponse> client) {
    this.service = service;
    this.client = client;
    client.disableAutoRequest();
    client.setOnCancelHandler(() -> {}); // without one the library throws where we answer a client that is gone
    client.setOnReadyHandler(this::ready);
    client.request(1);
  }

  @Override
  public void onNext(SimpleRequest request) {
    if (failed) {
      return;
    }
    try {
      client.onNext(service.respond(request));
    } catch (StatusException e) {
      failed = true;
      client.onError(e);
      return;
    }
    full = !client.isReady();
    if (!full) {
      client.request(1);
    }
  }

  private void ready() {
    if (full) {
      full = false;
      client.request(1);
    }
  }

  @Override
  public void onCompleted() {
    if (!failed) {
      client.onCompleted();
    }
  }
}
