package rpcbench.grpc;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;

/**
 * Ends a call with the status with which its marshaller, or the library's decompression, refuses a message. The library would
 * treat that as a failure of the service: log it and answer UNKNOWN.
 */
final class Refusing implements ServerInterceptor {
  /** Replaces a refused message. */
  private record Refused(Status status) {}

  private Refusing() {}

  static ServerServiceDefinition guard(ServerServiceDefinition service) {
    ServerServiceDefinition.Builder guarded =
        ServerServiceDefinition.builder(service.getServiceDescriptor().getName());
    service.getMethods().forEach(method -> add(guarded, method));
    return ServerInterceptors.intercept(guarded.build(), new Refusing());
  }

  private static <Q, A> void add(ServerServiceDefinition.Builder to, ServerMethodDefinition<Q, A> method) {
    MethodDescriptor<Q, A> described = method.getMethodDescriptor();
    to.addMethod(
        described.toBuilder(new Parsing<>(described.getRequestMarshaller()), described.getResponseMarshaller()).build(),
        method.getServerCallHandler());
  }

  private record Parsing<Q>(MethodDescriptor.Marshaller<Q> inner) implements MethodDescriptor.Marshaller<Q> {
    @Override
    public InputStream stream(Q message) {
      return inner.stream(message);
    }

    @Override
    @SuppressWarnings("unchecked") // the library passes it to the interceptor unchanged
    public Q parse(InputStream stream) {
      try {
        return inner.parse(stream);
      } catch (StatusRuntimeException e) {
        return (Q) new Refused(e.getStatus());
      }
    }
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      private boolean refused;

      @Override
      public void onMessage(Q message) {
        if (refused) {
          return;
        }
        if ((Object) message instanceof Refused refusal) {
          refused = true;
          call.close(refusal.status(), new Metadata());
        } else {
          super.onMessage(message);
        }
      }

      @Override
      public void onHalfClose() {
        if (!refused) {
          super.onHalfClose();
        }
      }
    };
  }
}
