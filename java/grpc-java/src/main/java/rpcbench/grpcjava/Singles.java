package rpcbench.grpcjava;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import rpcbench.stack.Answers;
import rpcbench.stack.Call;

/** The messages of grpc.testing.BenchmarkService, which have one payload each. */
final class Singles {
  static final Answers<SimpleResponse> ANSWERS =
      new Answers<>() {
        @Override
        public int count(SimpleResponse message) {
          return 1;
        }

        @Override
        public long id(SimpleResponse message, int i) {
          return 0;
        }

        @Override
        public int length(SimpleResponse message, int i) {
          return message.getPayload().getBody().size();
        }

        @Override
        public byte[] payload(SimpleResponse message, int i) {
          return Bytes.of(message.getPayload().getBody());
        }
      };

  private Singles() {}

  /** Returns the request of every message, which wraps the call's bytes. */
  static Rpc.Requests<SimpleRequest> requests(Call call) {
    Payload payload = Payload.newBuilder().setBody(UnsafeByteOperations.unsafeWrap(call.request())).build();
    SimpleRequest request =
        SimpleRequest.newBuilder().setResponseSize(call.responseBytes()).setPayload(payload).build();
    return first -> request;
  }
}
