package rpcbench.grpc;

import io.grpc.StatusException;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.ForkJoinPool;

/**
 * Sends the answer to the first message again and again, independently of what else comes, until the client has sent
 * all. It sends on a thread of its own: on the call's it would never let the client's next message through.
 */
final class BothWays extends Receiving<SimpleRequest> {
  private final BenchmarkService service;
  private final ServerCallStreamObserver<SimpleResponse> client;

  // Guarded by this, as is the client, which is not safe for concurrent use.
  private SimpleResponse response; // null before the first message
  private boolean sending; // a thread is at it
  private boolean done;

  BothWays(BenchmarkService service, ServerCallStreamObserver<SimpleResponse> client) {
    this.service = service;
    this.client = client;
    client.setOnCancelHandler(this::end);
    client.setOnReadyHandler(this::resume);
  }

  @Override
  public synchronized void onNext(SimpleRequest request) {
    if (response != null || done) {
      return;
    }
    try {
      response = service.respond(request);
      resume();
    } catch (StatusException e) {
      done = true;
      client.onError(e);
    }
  }

  @Override
  public synchronized void onCompleted() {
    if (!done) {
      done = true;
      client.onCompleted();
    }
  }

  private synchronized void end() {
    done = true;
  }

  private synchronized void resume() {
    if (response != null && !sending && !done) {
      sending = true;
      ForkJoinPool.commonPool().execute(this::send);
    }
  }

  private void send() {
    boolean more = true;
    while (more) {
      more = sendOne();
    }
  }

  /** Returns false where the stream takes no more for now; resume goes on. */
  private synchronized boolean sendOne() {
    sending = !done && client.isReady();
    if (sending) {
      client.onNext(response);
    }
    return sending;
  }
}
