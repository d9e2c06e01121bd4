package rpcbench.microbench;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;

/** A stream of responses without end; each is counted, and makes room for one more. */
record RepeatLoop(Tally tally) implements StreamObserver<byte[]> {
  void begin(Channel channel, byte[] message) {
    ClientCalls.asyncServerStreamingCall(channel.newCall(ByteService.REPEAT, CallOptions.DEFAULT), message, this);
  }

  @Override
  public void onNext(byte[] response) {
    tally.count();
  }

  @Override
  public void onError(Throwable cause) {
    tally.fail(cause);
  }

  @Override
  public void onCompleted() {
    tally.failEnded();
  }
}
