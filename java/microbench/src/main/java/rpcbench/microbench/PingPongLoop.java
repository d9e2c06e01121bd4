package rpcbench.microbench;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;

/** A stream with a number of messages in flight: every echo sends the next. */
final class PingPongLoop implements ClientResponseObserver<byte[], byte[]> {
  private final byte[] message;
  private final int inFlight;
  private final Tally tally;
  private ClientCallStreamObserver<byte[]> requests;
  private boolean begun;

  PingPongLoop(byte[] message, int inFlight, Tally tally) {
    this.message = message;
    this.inFlight = inFlight;
    this.tally = tally;
  }

  void begin(Channel channel) {
    ClientCalls.asyncBidiStreamingCall(channel.newCall(ByteService.PING_PONG, CallOptions.DEFAULT), this);
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<byte[]> requests) {
    this.requests = requests;
    // The first messages are also sent by a callback, because two threads must not send concurrently.
    requests.setOnReadyHandler(this::sendFirst);
  }

  @Override
  public void onNext(byte[] echo) {
    tally.count();
    requests.onNext(message);
  }

  @Override
  public void onError(Throwable cause) {
    tally.fail(cause);
  }

  @Override
  public void onCompleted() {
    tally.failEnded();
  }

  private void sendFirst() {
    if (begun) {
      return;
    }
    begun = true;
    for (int i = 0; i < inFlight; i++) {
      requests.onNext(message);
    }
  }
}
