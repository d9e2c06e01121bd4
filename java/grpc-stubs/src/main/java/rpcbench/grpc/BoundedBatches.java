package rpcbench.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.ExtensionRegistryLite;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.lite.ProtoLiteUtils;
import java.io.IOException;
import java.io.InputStream;
import rpcbench.batch.v1.Batch;
import rpcbench.batch.v1.Operation;
import rpcbench.stack.CallException;
import rpcbench.stack.ServerLimits;

/**
 * Decodes batches. Throws RESOURCE_EXHAUSTED for a batch with more operations than the server accepts, because decoded operations
 * take many times the memory of their encoding.
 */
final class BoundedBatches implements MethodDescriptor.Marshaller<Batch> {
  private static final int OPERATIONS = Batch.OPERATIONS_FIELD_NUMBER << 3 | 2;
  private static final int RESPONSE_BYTES = Batch.RESPONSE_BYTES_FIELD_NUMBER << 3;

  private final MethodDescriptor.Marshaller<Batch> library = ProtoLiteUtils.marshaller(Batch.getDefaultInstance());
  private final ServerLimits limits;

  private BoundedBatches(ServerLimits limits) {
    this.limits = limits;
  }

  /** Returns the method with its requests limited to the operations that limits allow, if they are limited. */
  static MethodDescriptor<Batch, Batch> bound(MethodDescriptor<Batch, Batch> method, ServerLimits limits) {
    return limits.batch() == 0
        ? method
        : method.toBuilder(new BoundedBatches(limits), method.getResponseMarshaller()).build();
  }

  @Override
  public InputStream stream(Batch batch) {
    return library.stream(batch);
  }

  @Override
  public Batch parse(InputStream stream) {
    try {
      return parse(CodedInputStream.newInstance(stream));
    } catch (IOException e) {
      throw Status.INTERNAL.withDescription("the message is not valid protobuf").withCause(e).asRuntimeException();
    } catch (CallException e) {
      throw Failure.statusOf(e).asRuntimeException();
    }
  }

  private Batch parse(CodedInputStream in) throws IOException, CallException {
    Batch.Builder batch = Batch.newBuilder();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == RESPONSE_BYTES) {
        batch.setResponseBytes(in.readUInt32());
      } else if (tag != OPERATIONS) {
        in.skipField(tag);
      } else {
        limits.checkOperations(batch.getOperationsCount() + 1);
        batch.addOperations(in.readMessage(Operation.parser(), ExtensionRegistryLite.getEmptyRegistry()));
      }
    }
    return batch.build();
  }
}
