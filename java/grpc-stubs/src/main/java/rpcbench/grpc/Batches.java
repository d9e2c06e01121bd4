package rpcbench.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.lite.ProtoLiteUtils;
import rpcbench.batch.v1.Access;
import rpcbench.batch.v1.Batch;
import rpcbench.batch.v1.Operation;
import rpcbench.stack.Accesses;
import rpcbench.stack.Answers;
import rpcbench.stack.Call;
import rpcbench.stack.Message;

/**
 * The methods and messages of rpcbench.batch.v1.BatchService. The methods are described here because the protoc plugin that
 * generates such code is not available from the repository that has the library.
 */
public final class Batches {
  public static final String SERVICE = "rpcbench.batch.v1.BatchService";
  public static final MethodDescriptor<Batch, Batch> UNARY = method("Unary", MethodType.UNARY);
  public static final MethodDescriptor<Batch, Batch> STREAM = method("Stream", MethodType.BIDI_STREAMING);
  public static final MethodDescriptor<Batch, Batch> UPLOAD = method("Upload", MethodType.CLIENT_STREAMING);

  static final Answers<Batch> ANSWERS =
      Answers.batch(
          Batch::getOperationsList,
          Operation::getId,
          operation -> operation.getPayload().size(),
          operation -> operation.getPayload().asReadOnlyByteBuffer());

  private Batches() {}

  private static MethodDescriptor<Batch, Batch> method(String name, MethodType type) {
    return MethodDescriptor.<Batch, Batch>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setRequestMarshaller(ProtoLiteUtils.marshaller(Batch.getDefaultInstance()))
        .setResponseMarshaller(ProtoLiteUtils.marshaller(Batch.getDefaultInstance()))
        .build();
  }

  /** Makes requests whose operations have consecutive ids, starting at first. */
  static Rpc.Requests<Batch> requests(Call call) {
    ByteString payload = UnsafeByteOperations.unsafeWrap(call.request());
    return message -> {
      if (message.accesses() != null) {
        return accesses(call, message);
      }
      Batch.Builder batch = Batch.newBuilder().setResponseBytes(call.responseBytes());
      for (int i = 0; i < call.batch(); i++) {
        batch.addOperations(Operation.newBuilder().setId(message.first() + i).setPayload(payload).build());
      }
      return batch.build();
    };
  }

  private static Batch accesses(Call call, Message message) {
    Batch.Builder batch = Batch.newBuilder();
    for (int i = 0; i < call.batch(); i++) {
      long key = message.accesses().key(message, i);
      Operation.Builder operation = Operation.newBuilder().setId(message.first() + i).setKey(key);
      if (message.accesses().writes(message, i)) {
        byte[] value = Accesses.value(call.request(), key);
        operation.setAccess(Access.ACCESS_WRITE).setPayload(UnsafeByteOperations.unsafeWrap(value));
      } else {
        operation.setAccess(Access.ACCESS_READ);
      }
      batch.addOperations(operation.build());
    }
    return batch.build();
  }
}
