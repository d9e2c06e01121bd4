package rpcbench.grpc;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayList;
import java.util.List;
import rpcbench.stack.Bounds;
import rpcbench.stack.CallException;

/**
 * Answers the messages of a stream: each at once, or in bursts whose size the client's metadata gives. Without bursts, a client
 * that sends all messages before it receives any would block once buffers and flow control are full. The next message is
 * requested only while the stream accepts answers, so a client that does not read can't fill the memory. The library calls the
 * methods one at a time.
 */
final class Echoing<Q, A> extends Receiving<Q> {
  private static final int ANSWER_BYTES = 128; // the approximate overhead of a held answer

  private final Responder<Q, A> service;
  private final ServerCallStreamObserver<A> client;
  private final int burst; // messages
  private final List<A> held = new ArrayList<>(); // the answers of an incomplete burst
  private long heldBytes;
  private long taken; // of the memory for all bursts
  private boolean full;
  private boolean failed;

  Echoing(Responder<Q, A> service, ServerCallStreamObserver<A> client) {
    this.service = service;
    this.client = client;
    this.burst = Math.max(1, MessageCount.BURST.current());
    client.disableAutoRequest();
    client.setOnCancelHandler(this::release); // without a handler, the library throws when we answer a client that is gone
    client.setOnReadyHandler(this::ready);
    client.request(1);
  }

  @Override
  public void onNext(Q request) {
    if (failed) {
      return;
    }
    try {
      answer(service.respond(request));
    } catch (StatusException e) {
      failed = true;
      release();
      client.onError(e);
      return;
    }
    full = !client.isReady();
    if (!full) {
      client.request(1);
    }
  }

  private void answer(A answer) throws StatusException {
    if (burst == 1) {
      client.onNext(answer);
      return;
    }
    heldBytes += service.bytes(answer);
    if (heldBytes > Bounds.MESSAGE_BYTES_MAX) {
      String message = "a burst of " + burst + " messages is more than the " + Bounds.MESSAGE_BYTES_MAX
          + " bytes that a server holds";
      throw Status.RESOURCE_EXHAUSTED.withDescription(message).asException();
    }
    take(service.bytes(answer) + ANSWER_BYTES);
    held.add(answer);
    if (held.size() == burst) {
      held.forEach(client::onNext);
      release();
    }
  }

  private void take(long bytes) throws StatusException {
    try {
      service.held().take(bytes);
      taken += bytes;
    } catch (CallException e) {
      throw Failure.refusal(e);
    }
  }

  private void release() {
    service.held().release(taken);
    held.clear();
    heldBytes = 0;
    taken = 0;
  }

  private void ready() {
    if (full) {
      full = false;
      client.request(1);
    }
  }

  @Override
  public void onCompleted() {
    release();
    if (!failed) {
      client.onCompleted();
    }
  }
}
