package rpcbench.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.util.function.ToIntFunction;
import rpcbench.batch.v1.Batch;
import rpcbench.stack.Answers;
import rpcbench.stack.Call;
import rpcbench.stack.Kind;
import rpcbench.stack.Message;

/**
 * What a call is in gRPC: a method of one of the two services, and its messages.
 *
 * @param requests makes the messages that the client sends
 * @param answers reads those that the server sends
 * @param size returns how long a message of the client is when it is encoded
 */
public record Rpc<Q, A>(
    Call call, MethodDescriptor<Q, A> method, Requests<Q> requests, Answers<A> answers, ToIntFunction<? super Q> size)
    implements Streaming<Q, A> {
  /** The request metadata that tells one of our servers how many messages a download has, or both_ways from the server. */
  static final Metadata.Key<String> MESSAGES =
      Metadata.Key.of("rpcbench-messages", Metadata.ASCII_STRING_MARSHALLER);

  /**
   * The request metadata that tells one of our servers how many messages of a stream to collect before it answers them,
   * again and again.
   */
  static final Metadata.Key<String> BURST = Metadata.Key.of("rpcbench-burst", Metadata.ASCII_STRING_MARSHALLER);

  /** gRPC's prefix of a message: a flag and the length. */
  private static final int FRAME_BYTES = 5;

  /** Makes the messages that a client sends. */
  @FunctionalInterface
  public interface Requests<Q> {
    /** Makes the next message, which has what message says. */
    Q next(Message message);
  }

  /** Describes a call, other than connect and first_call, to what makes it. */
  public static Rpc<?, ?> of(Call call, Codec codec) {
    if (call.batch() > 0) {
      return new Rpc<>(call, batched(call), Batches.requests(call), Batches.ANSWERS, MessageLite::getSerializedSize);
    }
    MethodDescriptor<SimpleRequest, SimpleResponse> method = single(call);
    Requests<SimpleRequest> requests = Singles.requests(call);
    return codec == Codec.BYTES
        ? new Rpc<>(call, Buffers.method(method), Buffers.requests(call, requests), Buffers.ANSWERS, ByteString::size)
        : new Rpc<>(call, method, requests, Singles.ANSWERS, MessageLite::getSerializedSize);
  }

  private static MethodDescriptor<SimpleRequest, SimpleResponse> single(Call call) {
    return switch (call.kind()) {
      case Kind.UNARY -> BenchmarkServiceGrpc.getUnaryCallMethod();
      case Kind.STREAM, Kind.PING_PONG, Kind.BURST -> BenchmarkServiceGrpc.getStreamingCallMethod();
      case Kind.UPLOAD -> BenchmarkServiceGrpc.getStreamingFromClientMethod();
      case Kind.BOTH_WAYS -> BenchmarkServiceGrpc.getStreamingBothWaysMethod();
      case Kind.DOWNLOAD -> BenchmarkServiceGrpc.getStreamingFromServerMethod();
      default -> throw new IllegalArgumentException(call.kind() + " is not a method");
    };
  }

  private static MethodDescriptor<Batch, Batch> batched(Call call) {
    return switch (call.kind()) {
      case Kind.UNARY -> Batches.UNARY;
      case Kind.PING_PONG, Kind.BURST -> Batches.STREAM;
      case Kind.UPLOAD -> Batches.UPLOAD;
      default -> throw new IllegalArgumentException(call.kind() + " has no batches");
    };
  }

  /** How long a message that the client sends is on the wire, framed. */
  long requestBytes() {
    Message longest = new Message(1, call.request().length, call.responseBytes(), null, 0);
    return size.applyAsInt(requests.next(longest)) + FRAME_BYTES;
  }

  @Override
  public Opening<Q> open() {
    return new Opening<>(metadata(), requests::next);
  }

  /** Whether the server is told how many messages to send, and one that does not know it goes on. */
  boolean tellsServer() {
    return call.kind().equals(Kind.DOWNLOAD) || call.kind().equals(Kind.BOTH_WAYS);
  }

  /** Metadata of the next RPC; the library keeps and changes it. */
  public Metadata metadata() {
    Metadata metadata = new Metadata();
    if (tellsServer()) {
      metadata.put(MESSAGES, Integer.toString(call.messages()));
    }
    if (call.kind().equals(Kind.BURST)) {
      metadata.put(BURST, Integer.toString(call.messages()));
    }
    return metadata;
  }
}
