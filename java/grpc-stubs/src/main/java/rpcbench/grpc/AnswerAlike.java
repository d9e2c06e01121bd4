package rpcbench.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/** Compresses the answers to compressed requests. grpc-java leaves that to services; grpc-go does it by default. */
final class AnswerAlike implements ServerInterceptor {
  private static final Metadata.Key<String> ENCODING =
      Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER);

  @Override
  public <A, B> ServerCall.Listener<A> interceptCall(
      ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
    if ("gzip".equals(headers.get(ENCODING))) {
      call.setCompression("gzip");
    }
    return next.startCall(call, headers);
  }
}
