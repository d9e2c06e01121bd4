package rpcbench.grpc;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import rpcbench.stack.Answers;
import rpcbench.stack.Call;

/** The messages of grpc.testing.BenchmarkService, which have one payload each. */
final class Singles {
  static final Answers<SimpleResponse> ANSWERS =
      Answers.single(
          message -> message.getPayload().getBody().size(),
          message -> message.getPayload().getBody().asReadOnlyByteBuffer());

  private Singles() {}

  /** Returns a source of requests that wrap the call's bytes. */
  static Rpc.Requests<SimpleRequest> requests(Call call) {
    Payload payload = Payload.newBuilder().setBody(UnsafeByteOperations.unsafeWrap(call.request())).build();
    SimpleRequest request =
        SimpleRequest.newBuilder().setResponseSize(call.responseBytes()).setPayload(payload).build();
    if (call.drawn() == null) {
      return message -> request;
    }
    return message ->
        SimpleRequest.newBuilder()
            .setResponseSize(message.responseBytes())
            .setPayload(
                Payload.newBuilder()
                    .setBody(UnsafeByteOperations.unsafeWrap(call.request(), 0, message.requestBytes())))
            .build();
  }
}
