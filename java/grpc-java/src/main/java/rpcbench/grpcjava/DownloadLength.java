package rpcbench.grpcjava;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;

/** Tells the service how many messages a download has, by its metadata. */
final class DownloadLength implements ServerInterceptor {
  private static final Context.Key<Integer> COUNT = Context.key("rpcbench-messages");

  /** Returns the count of the running call, -1 where the client has not said it. */
  static int current() {
    Integer count = COUNT.get();
    return count == null ? -1 : count;
  }

  @Override
  public <A, B> ServerCall.Listener<A> interceptCall(
      ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
    boolean download = call.getMethodDescriptor().getFullMethodName()
        .equals(BenchmarkServiceGrpc.getStreamingFromServerMethod().getFullMethodName());
    String text = download ? headers.get(Rpc.MESSAGES) : null;
    if (text == null) {
      return next.startCall(call, headers);
    }
    int count = parse(text);
    if (count < 0) {
      String message = "metadata " + Rpc.MESSAGES.name() + " is \"" + text + "\", and must be a number of messages";
      call.close(Status.INVALID_ARGUMENT.withDescription(message), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    return Contexts.interceptCall(Context.current().withValue(COUNT, count), call, headers, next);
  }

  /** Returns -1 for what is no count. */
  private static int parse(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
