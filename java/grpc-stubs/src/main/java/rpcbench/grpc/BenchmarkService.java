package rpcbench.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.EchoStatus;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.grpc.stub.StreamObserver;
import rpcbench.stack.CallException;
import rpcbench.stack.Held;
import rpcbench.stack.ServeConfig;

/** grpc.testing.BenchmarkService. */
final class BenchmarkService extends BenchmarkServiceGrpc.BenchmarkServiceImplBase
    implements Responder<SimpleRequest, SimpleResponse> {
  private final ServeConfig config;
  private final Held held;

  BenchmarkService(ServeConfig config, Held held) {
    this.config = config;
    this.held = held;
  }

  @Override
  public Held held() {
    return held;
  }

  /** Returns the answer to a request, or throws the status that it asks for. */
  @Override
  public SimpleResponse respond(SimpleRequest request) throws StatusException {
    EchoStatus asked = request.getResponseStatus();
    if (asked.getCode() != 0) {
      throw Status.fromCodeValue(asked.getCode()).withDescription(asked.getMessage()).asException();
    }
    Payload payload = Payload.newBuilder()
        .setType(request.getResponseType())
        .setBody(body(request.getPayload().getBody(), request.getResponseSize()))
        .build();
    return SimpleResponse.newBuilder().setPayload(payload).build();
  }

  /** Returns the payload of an answer: the request's own, if it has the requested length. */
  ByteString body(ByteString asked, int size) throws StatusException {
    try {
      config.limits().checkResponse("response_size", 0, size);
    } catch (CallException e) {
      throw Failure.refusal(e);
    }
    return size == asked.size() ? asked : UnsafeByteOperations.unsafeWrap(config.reply().apply(size));
  }

  @Override
  public long bytes(SimpleResponse answer) {
    return answer.getPayload().getBody().size();
  }

  @Override
  public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> client) {
    answer(request, client);
  }

  @Override
  public StreamObserver<SimpleRequest> streamingCall(StreamObserver<SimpleResponse> client) {
    return answerEach(client);
  }

  @Override
  public StreamObserver<SimpleRequest> streamingFromClient(StreamObserver<SimpleResponse> client) {
    return answerLast(SimpleRequest.getDefaultInstance(), client);
  }

  @Override
  public void streamingFromServer(SimpleRequest request, StreamObserver<SimpleResponse> client) {
    answerMany(request, client);
  }

  @Override
  public StreamObserver<SimpleRequest> streamingBothWays(StreamObserver<SimpleResponse> client) {
    return answerBothWays(client);
  }
}
