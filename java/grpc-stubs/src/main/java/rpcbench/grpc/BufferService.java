package rpcbench.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import rpcbench.stack.Held;

/** grpc.testing.BenchmarkService by {@link Buffers}. Requests with other fields go to the service of generated classes. */
final class BufferService implements Responder<ByteString, ByteString> {
  private final BenchmarkService service;

  BufferService(BenchmarkService service) {
    this.service = service;
  }

  ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(BenchmarkServiceGrpc.getServiceDescriptor().getName())
        .addMethod(Buffers.method(BenchmarkServiceGrpc.getUnaryCallMethod()), ServerCalls.asyncUnaryCall(this::answer))
        .addMethod(
            Buffers.method(BenchmarkServiceGrpc.getStreamingCallMethod()), ServerCalls.asyncBidiStreamingCall(this::answerEach))
        .addMethod(
            Buffers.method(BenchmarkServiceGrpc.getStreamingFromClientMethod()),
            ServerCalls.asyncClientStreamingCall(client -> answerLast(ByteString.EMPTY, client)))
        .addMethod(
            Buffers.method(BenchmarkServiceGrpc.getStreamingFromServerMethod()),
            ServerCalls.asyncServerStreamingCall(this::answerMany))
        .addMethod(
            Buffers.method(BenchmarkServiceGrpc.getStreamingBothWaysMethod()),
            ServerCalls.asyncBidiStreamingCall(this::answerBothWays))
        .build();
  }

  @Override
  public Held held() {
    return service.held();
  }

  @Override
  public ByteString respond(ByteString request) throws StatusException {
    try {
      Buffers.Asked asked = Buffers.read(request);
      return asked == null
          ? service.respond(SimpleRequest.parseFrom(request)).toByteString()
          : Buffers.answer(service.body(asked.body(), asked.size()));
    } catch (InvalidProtocolBufferException e) { // which is also the library's answer
      throw Status.INTERNAL.withDescription("Invalid protobuf byte sequence").withCause(e).asException();
    } catch (IOException e) {
      throw Status.INTERNAL.withDescription("the request can't be read").withCause(e).asException();
    }
  }

  @Override
  public long bytes(ByteString answer) {
    return Buffers.bodyOf(answer).size();
  }
}
