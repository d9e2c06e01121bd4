package rpcbench.microbench;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;

/** One unary call after another; the end of each begins the next. */
record UnaryLoop(Channel channel, byte[] request, Tally tally) implements StreamObserver<byte[]> {
  void begin() {
    ClientCalls.asyncUnaryCall(channel.newCall(ByteService.ECHO, CallOptions.DEFAULT), request, this);
  }

  @Override
  public void onNext(byte[] response) {}

  @Override
  public void onError(Throwable cause) {
    tally.fail(cause);
  }

  @Override
  public void onCompleted() {
    tally.count();
    if (!tally.isClosed()) {
      begin();
    }
  }
}
