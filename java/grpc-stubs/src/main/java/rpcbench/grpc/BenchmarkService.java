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
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.grpc.stub.StreamObservers;
import java.util.Collections;
import rpcbench.stack.CallException;
import rpcbench.stack.Held;
import rpcbench.stack.ServeConfig;

/** grpc.testing.BenchmarkService. */
final class BenchmarkService extends BenchmarkServiceGrpc.BenchmarkServiceImplBase
    implements Responder<SimpleRequest, SimpleResponse> {
  private static final int ENOUGH = Integer.MAX_VALUE; // messages, for whoever ends a stream

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
    ByteString body = request.getPayload().getBody();
    int size = request.getResponseSize();
    try {
      config.limits().checkResponse("response_size", 0, size);
    } catch (CallException e) {
      throw Failure.refusal(e);
    }
    if (size != body.size()) {
      body = UnsafeByteOperations.unsafeWrap(config.reply().apply(size));
    }
    Payload payload = Payload.newBuilder().setType(request.getResponseType()).setBody(body).build();
    return SimpleResponse.newBuilder().setPayload(payload).build();
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
    return new Echoing<>(this, (ServerCallStreamObserver<SimpleResponse>) client);
  }

  @Override
  public StreamObserver<SimpleRequest> streamingFromClient(StreamObserver<SimpleResponse> client) {
    return answerLast(SimpleRequest.getDefaultInstance(), client);
  }

  /** Answers as often as the metadata says; without it until the client has enough, as gRPC's own servers do. */
  @Override
  public void streamingFromServer(SimpleRequest request, StreamObserver<SimpleResponse> client) {
    ServerCallStreamObserver<SimpleResponse> to = (ServerCallStreamObserver<SimpleResponse>) client;
    to.setOnCancelHandler(() -> {}); // without one the library throws where a message crosses the end
    try {
      SimpleResponse response = respond(request);
      int count = MessageCount.FROM_SERVER.current();
      StreamObservers.copyWithFlowControl(Collections.nCopies(count < 0 ? ENOUGH : count, response), to);
    } catch (StatusException e) {
      client.onError(e);
    }
  }

  @Override
  public StreamObserver<SimpleRequest> streamingBothWays(StreamObserver<SimpleResponse> client) {
    return new BothWays(this, (ServerCallStreamObserver<SimpleResponse>) client, MessageCount.FROM_SERVER.current());
  }
}
