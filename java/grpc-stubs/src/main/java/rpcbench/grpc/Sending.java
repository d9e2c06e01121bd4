package rpcbench.grpc;

import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.grpc.stub.ServerCallStreamObserver;

/**
 * Sends one message again and again, as fast as the stream takes it. The library calls its methods one after another.
 */
final class Sending {
  private final ServerCallStreamObserver<SimpleResponse> client;
  private final SimpleResponse response;
  private final int count;
  private int sent;
  private boolean done;

  /** Sends count messages and ends the stream; with a negative count it goes on until the client has enough. */
  Sending(ServerCallStreamObserver<SimpleResponse> client, SimpleResponse response, int count) {
    this.client = client;
    this.response = response;
    this.count = count;
    client.setOnCancelHandler(() -> done = true);
    client.setOnReadyHandler(this::send);
  }

  private void send() {
    while (!done && sent != count && client.isReady()) {
      client.onNext(response);
      if (count > 0) {
        sent++;
      }
    }
    if (!done && sent == count) {
      done = true;
      client.onCompleted();
    }
  }
}
