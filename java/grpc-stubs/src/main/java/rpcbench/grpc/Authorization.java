package rpcbench.grpc;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import rpcbench.stack.ServeConfig;

/** Asks before every call whether its client may call, as programs do it. */
final class Authorization implements ServerInterceptor {
  private final ServeConfig.Authorize authorize;

  Authorization(ServeConfig.Authorize authorize) {
    this.authorize = authorize;
  }

  @Override
  public <A, B> ServerCall.Listener<A> interceptCall(
      ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
    String refusal = authorize.refusalOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
    if (refusal == null) {
      return next.startCall(call, headers);
    }
    call.close(Status.PERMISSION_DENIED.withDescription(refusal), new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
