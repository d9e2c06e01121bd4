package rpcbench.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import rpcbench.batch.v1.Batch;
import rpcbench.batch.v1.Operation;
import rpcbench.stack.Bounds;
import rpcbench.stack.CallException;
import rpcbench.stack.Held;
import rpcbench.stack.ServeConfig;

/** rpcbench.batch.v1.BatchService. */
final class BatchService implements BindableService, Responder<Batch, Batch> {
  private final ServeConfig config;
  private final Held held;

  BatchService(ServeConfig config, Held held) {
    this.config = config;
    this.held = held;
  }

  @Override
  public Held held() {
    return held;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(Batches.SERVICE)
        .addMethod(bounded(Batches.UNARY), ServerCalls.asyncUnaryCall(this::answer))
        .addMethod(
            bounded(Batches.STREAM),
            ServerCalls.asyncBidiStreamingCall(
                client -> new Echoing<>(this, (ServerCallStreamObserver<Batch>) client)))
        .addMethod(
            bounded(Batches.UPLOAD),
            ServerCalls.asyncClientStreamingCall(client -> answerLast(Batch.getDefaultInstance(), client)))
        .build();
  }

  private MethodDescriptor<Batch, Batch> bounded(MethodDescriptor<Batch, Batch> method) {
    return BoundedBatches.bound(method, config.limits());
  }

  @Override
  public Batch respond(Batch request) throws StatusException {
    long bytes = Integer.toUnsignedLong(request.getResponseBytes());
    try {
      config.limits().checkResponse("response_bytes", request.getOperationsCount(), bytes);
    } catch (CallException e) {
      throw Failure.refusal(e);
    }
    Batch.Builder answer = Batch.newBuilder();
    ByteString own = null; // the server's payload, once it is needed
    for (Operation operation : request.getOperationsList()) {
      if (operation.getPayload().size() == bytes) {
        answer.addOperations(operation);
        continue;
      }
      own = own != null ? own : UnsafeByteOperations.unsafeWrap(config.reply().apply((int) bytes));
      answer.addOperations(Operation.newBuilder().setId(operation.getId()).setPayload(own).build());
    }
    return answer.build();
  }

  /** Of an answer whose payloads are equally long. */
  @Override
  public long bytes(Batch answer) {
    int operations = answer.getOperationsCount();
    return operations == 0 ? 0 : Bounds.messageBytes(operations, answer.getOperations(0).getPayload().size());
  }
}
