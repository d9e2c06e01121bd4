package rpcbench.grpc;

import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.ForkJoinPool;

/**
 * Sends the answer to the first message again and again, whatever else comes: as often as the client asks for, or until the
 * client has sent all. It sends on other threads than the call's, which would never get to the client's next message. The end
 * too is sent there: Armeria makes a task of what other threads send, and the call's own thread would overtake it.
 */
final class BothWays<Q, A> extends Receiving<Q> {
  private final Responder<Q, A> service;
  private final ServerCallStreamObserver<A> client;

  // Guarded by this, as is the client, which is not safe for concurrent use.
  private A response; // null before the first message
  private int left; // answers to send; negative without a number
  private boolean received; // all of the client's messages
  private boolean sending; // a thread does so
  private boolean done;

  /** Takes the number of answers; -1 is unlimited. */
  BothWays(Responder<Q, A> service, ServerCallStreamObserver<A> client, int count) {
    this.service = service;
    this.client = client;
    this.left = count;
    client.setOnCancelHandler(this::end);
    client.setOnReadyHandler(this::resume);
  }

  @Override
  public synchronized void onNext(Q request) {
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
    received = true;
    if (!sending) { // a thread that sends sends the end too
      begin();
    }
  }

  private void complete() {
    if (received && !done && (left <= 0 || response == null)) {
      done = true;
      client.onCompleted();
    }
  }

  private synchronized void end() {
    done = true;
  }

  private synchronized void resume() {
    if (response != null && !sending && !done && left != 0) {
      begin();
    }
  }

  private void begin() {
    sending = true;
    ForkJoinPool.commonPool().execute(this::send);
  }

  private void send() {
    boolean more = true;
    while (more) {
      more = sendOne();
    }
  }

  /** Returns false if the stream takes no more for now; resume then continues. */
  private synchronized boolean sendOne() {
    complete();
    sending = !done && left != 0 && client.isReady();
    if (sending) {
      client.onNext(response);
      left -= left > 0 ? 1 : 0;
    }
    return sending;
  }
}
