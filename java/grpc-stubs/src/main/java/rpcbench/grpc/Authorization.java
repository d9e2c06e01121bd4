package rpcbench.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.function.Function;
import javax.net.ssl.SSLSession;
import rpcbench.stack.ServeConfig;

/** Asks before every call whether its client may make it, as programs do. */
final class Authorization implements ServerInterceptor {
  private final ServeConfig.Authorize authorize;
  private final Function<ServerCall<?, ?>, SSLSession> sessions;

  /** Creates the interceptor. sessions returns the TLS session of a call's connection, null without TLS. */
  Authorization(ServeConfig.Authorize authorize, Function<ServerCall<?, ?>, SSLSession> sessions) {
    this.authorize = authorize;
    this.sessions = sessions;
  }

  @Override
  public <A, B> ServerCall.Listener<A> interceptCall(
      ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
    String refusal = authorize.refusalOf(sessions.apply(call));
    if (refusal == null) {
      return next.startCall(call, headers);
    }
    call.close(Status.PERMISSION_DENIED.withDescription(refusal), new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
