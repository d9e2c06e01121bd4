package rpcbench.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusException;
import io.grpc.stub.ServerCalls;
import rpcbench.batch.v1.Access;
import rpcbench.batch.v1.Batch;
import rpcbench.batch.v1.Operation;
import rpcbench.stack.Bounds;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;
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
        .addMethod(bounded(Batches.STREAM), ServerCalls.asyncBidiStreamingCall(this::answerEach))
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
    check("response_bytes", request.getOperationsCount(), bytes);
    Batch.Builder answer = Batch.newBuilder();
    ByteString own = null; // the server's payload, created when first needed
    long read = 0;
    for (Operation operation : request.getOperationsList()) {
      if (operation.getAccess() != Access.ACCESS_NONE) {
        Operation accessed = accessed(operation);
        read += accessed.getPayload().size();
        check("the size of the values", 0, read);
        answer.addOperations(accessed);
        continue;
      }
      if (operation.getPayload().size() == bytes) {
        answer.addOperations(operation);
        continue;
      }
      own = own != null ? own : UnsafeByteOperations.unsafeWrap(config.reply().apply((int) bytes));
      answer.addOperations(Operation.newBuilder().setId(operation.getId()).setPayload(own).build());
    }
    return answer.build();
  }

  private void check(String field, long operations, long bytes) throws StatusException {
    try {
      config.limits().checkResponse(field, operations, bytes);
    } catch (CallException e) {
      throw Failure.refusal(e);
    }
  }

  /** In a request either all operations access the store or none. */
  @Override
  public boolean works(Batch request) {
    return request.getOperationsCount() > 0 && request.getOperations(0).getAccess() != Access.ACCESS_NONE;
  }

  /** Reads or writes the store. */
  private Operation accessed(Operation operation) throws StatusException {
    Operation.Builder answer = Operation.newBuilder().setId(operation.getId());
    try {
      if (config.store() == null) {
        throw new CallException(Code.FAILED_PRECONDITION, "this server has no store");
      }
      switch (operation.getAccess()) {
        case ACCESS_READ ->
            answer.setPayload(UnsafeByteOperations.unsafeWrap(config.store().get(operation.getKey())));
        case ACCESS_WRITE -> config.store().put(operation.getKey(), operation.getPayload().toByteArray());
        default -> throw new CallException(
            Code.INVALID_ARGUMENT, "access " + operation.getAccessValue() + " is unknown");
      }
    } catch (CallException e) {
      throw Failure.refusal(e);
    }
    return answer.build();
  }

  @Override
  public long bytes(Batch answer) {
    long bytes = (long) answer.getOperationsCount() * Bounds.messageBytes(1, 0);
    for (Operation operation : answer.getOperationsList()) {
      bytes += operation.getPayload().size();
    }
    return bytes;
  }
}
