package rpcbench.microbench;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

/** The service that the loops and the benchmarks of transports call. */
final class ByteService {
  /** Answers a message with itself. */
  static final MethodDescriptor<byte[], byte[]> ECHO = method("Echo", MethodType.UNARY);

  /** Answers every message of a stream with itself. */
  static final MethodDescriptor<byte[], byte[]> PING_PONG = method("PingPong", MethodType.BIDI_STREAMING);

  /** Answers a message with itself again and again, as fast as flow control allows, until it is canceled. */
  static final MethodDescriptor<byte[], byte[]> REPEAT = method("Repeat", MethodType.SERVER_STREAMING);

  private static final String NAME = "rpcbench.microbench.Bytes";

  private ByteService() {}

  static ServerServiceDefinition definition() {
    return ServerServiceDefinition.builder(NAME)
        .addMethod(ECHO, ServerCalls.asyncUnaryCall(ByteService::echo))
        .addMethod(PING_PONG, ServerCalls.asyncBidiStreamingCall(Echoes::new))
        .addMethod(REPEAT, ServerCalls.asyncServerStreamingCall(ByteService::repeat))
        .build();
  }

  private static void echo(byte[] message, StreamObserver<byte[]> answers) {
    answers.onNext(message);
    answers.onCompleted();
  }

  private static void repeat(byte[] message, StreamObserver<byte[]> answers) {
    ServerCallStreamObserver<byte[]> call = (ServerCallStreamObserver<byte[]>) answers;
    call.setOnCancelHandler(() -> {}); // without a handler, a send that crosses the cancellation would throw
    call.setOnReadyHandler(
        () -> {
          while (call.isReady() && !call.isCancelled()) {
            call.onNext(message);
          }
        });
  }

  private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
    return MethodDescriptor.<byte[], byte[]>newBuilder(new ByteMessages(), new ByteMessages())
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
        .build();
  }

  private record Echoes(StreamObserver<byte[]> answers) implements StreamObserver<byte[]> {
    @Override
    public void onNext(byte[] message) {
      answers.onNext(message);
    }

    @Override
    public void onError(Throwable cancelled) {} // the client has left

    @Override
    public void onCompleted() {
      answers.onCompleted();
    }
  }
}
