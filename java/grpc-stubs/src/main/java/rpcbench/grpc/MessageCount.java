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

/** Tells the service a number of messages that the metadata of certain calls says. */
final class MessageCount implements ServerInterceptor {
  /** How many messages the server sends. */
  static final MessageCount FROM_SERVER =
      new MessageCount(
          Rpc.MESSAGES, 0, Integer.MAX_VALUE,
          BenchmarkServiceGrpc.getStreamingFromServerMethod().getFullMethodName(),
          BenchmarkServiceGrpc.getStreamingBothWaysMethod().getFullMethodName());

  /** How many messages of a stream to collect before they are answered. */
  static final MessageCount BURST =
      new MessageCount(
          Rpc.BURST, 1, Bounds.BURST_MAX,
          BenchmarkServiceGrpc.getStreamingCallMethod().getFullMethodName(), Batches.STREAM.getFullMethodName());

  private final Metadata.Key<String> key;
  private final int least;
  private final int most;
  private final Set<String> methods;
  private final Context.Key<Integer> count;

  private MessageCount(Metadata.Key<String> key, int least, int most, String... methods) {
    this.key = key;
    this.least = least;
    this.most = most;
    this.methods = Set.of(methods);
    this.count = Context.key(key.name());
  }

  /** Returns the count of the running call, -1 where the client has not said it. */
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
    if (given < least || given > most) {
      String message = "metadata " + key.name() + " is \"" + text + "\", and must be a number of messages, "
          + least + " to " + most;
      call.close(Status.INVALID_ARGUMENT.withDescription(message), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    return Contexts.interceptCall(Context.current().withValue(count, given), call, headers, next);
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
