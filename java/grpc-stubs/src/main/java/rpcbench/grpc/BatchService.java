package rpcbench.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import java.util.function.IntFunction;
import rpcbench.batch.v1.Batch;
import rpcbench.batch.v1.Operation;
import rpcbench.stack.Bounds;

/** rpcbench.batch.v1.BatchService. */
final class BatchService implements BindableService, Responder<Batch, Batch> {
  private final IntFunction<byte[]> reply;

  BatchService(IntFunction<byte[]> reply) {
    this.reply = reply;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(Batches.SERVICE)
        .addMethod(Batches.UNARY, ServerCalls.asyncUnaryCall(this::answer))
        .addMethod(
            Batches.STREAM,
            ServerCalls.asyncBidiStreamingCall(
                client -> new Echoing<>(this, (ServerCallStreamObserver<Batch>) client)))
        .addMethod(
            Batches.UPLOAD,
            ServerCalls.asyncClientStreamingCall(client -> answerLast(Batch.getDefaultInstance(), client)))
        .build();
  }

  @Override
  public Batch respond(Batch request) throws StatusException {
    long bytes = Integer.toUnsignedLong(request.getResponseBytes());
    String refusal = Bounds.replyRefusal("response_bytes", request.getOperationsCount(), bytes);
    if (refusal != null) {
      throw Status.INVALID_ARGUMENT.withDescription(refusal).asException();
    }
    Batch.Builder answer = Batch.newBuilder();
    ByteString own = null; // the server's payload, once it is needed
    for (Operation operation : request.getOperationsList()) {
      if (operation.getPayload().size() == bytes) {
        answer.addOperations(operation);
        continue;
      }
      own = own != null ? own : UnsafeByteOperations.unsafeWrap(reply.apply((int) bytes));
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
