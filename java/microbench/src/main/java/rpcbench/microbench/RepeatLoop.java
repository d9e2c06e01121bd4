package rpcbench.microbench;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;

/** An endless stream of responses. Each is counted, and replaced by a request for one more. */
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
