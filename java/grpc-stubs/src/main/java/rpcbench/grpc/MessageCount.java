package rpcbench.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import java.util.Set;
import rpcbench.stack.Bounds;

/** Passes a count from the metadata of certain calls to the service. */
final class MessageCount implements ServerInterceptor {
  /** The number of messages that the server sends. */
  static final MessageCount FROM_SERVER =
      new MessageCount(
          Rpc.MESSAGES, 0, Integer.MAX_VALUE,
          BenchmarkServiceGrpc.getStreamingFromServerMethod().getFullMethodName(),
          BenchmarkServiceGrpc.getStreamingBothWaysMethod().getFullMethodName());

  /** The number of messages that the server collects before it answers them. */
  static final MessageCount BURST =
      new MessageCount(
          Rpc.BURST, 1, Bounds.BURST_MAX,
          BenchmarkServiceGrpc.getStreamingCallMethod().getFullMethodName(), Batches.STREAM.getFullMethodName());

  private final Metadata.Key<String> key;
  private final int min;
  private final int max;
  private final Set<String> methods;
  private final Context.Key<Integer> count;

  private MessageCount(Metadata.Key<String> key, int min, int max, String... methods) {
    this.key = key;
    this.min = min;
    this.max = max;
    this.methods = Set.of(methods);
    this.count = Context.key(key.name());
  }

  /** Returns the count of the running call, -1 if the client has not given one. */
  int current() {
    Integer known = count.get();
    return known == null ? -1 : known;
  }

  @Override
  public <A, B> ServerCall.Listener<A> interceptCall(
      ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
    String text = methods.contains(call.getMethodDescriptor().getFullMethodName()) ? headers.get(key) : null;
    if (text == null) {
      return next.startCall(call, headers);
    }
    int given = parse(text);
    if (given < min || given > max) {
      String message = "metadata " + key.name() + " is \"" + text + "\", and must be a number of messages, "
          + min + " to " + max;
      call.close(Status.INVALID_ARGUMENT.withDescription(message), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    return Contexts.interceptCall(Context.current().withValue(count, given), call, headers, next);
  }

  /** Returns -1 if the text is not a count. */
  private static int parse(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
