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
 * A call in terms of gRPC: a method of one of our two services, and its messages.
 *
 * @param requests makes the messages that the client sends
 * @param answers reads those that the server sends
 * @param size returns the encoded length of a client's message
 */
public record Rpc<Q, A>(
    Call call, MethodDescriptor<Q, A> method, Requests<Q> requests, Answers<A> answers, ToIntFunction<? super Q> size)
    implements Streaming<Q, A> {
  /** Request metadata for our servers: the number of messages that the server sends in a download or both_ways. */
  static final Metadata.Key<String> MESSAGES =
      Metadata.Key.of("rpcbench-messages", Metadata.ASCII_STRING_MARSHALLER);

  /**
   * Request metadata for our servers: the number of messages of a stream that are collected before they are answered, again and
   * again.
   */
  static final Metadata.Key<String> BURST = Metadata.Key.of("rpcbench-burst", Metadata.ASCII_STRING_MARSHALLER);

  /** gRPC's message prefix: a flag and the length. */
  private static final int FRAME_BYTES = 5;

  /** Makes the messages that a client sends. */
  @FunctionalInterface
  public interface Requests<Q> {
    /** Returns the request that carries a message. */
    Q next(Message message);
  }

  /** Describes a call of any kind but connect and first_call. */
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

  /** Returns the framed length of a client's message on the wire. */
  long requestBytes() {
    Message longest = new Message(1, call.request().length, call.responseBytes(), null, 0);
    return length(requests.next(longest)) + FRAME_BYTES;
  }

  @Override
  public int length(Q message) {
    return size.applyAsInt(message);
  }

  @Override
  public Opening<Q> open() {
    return new Opening<>(metadata(), requests::next);
  }

  /** Reports whether the server is told how many messages to send; one that does not know the metadata keeps sending. */
  boolean tellsServer() {
    return call.kind().equals(Kind.DOWNLOAD) || call.kind().equals(Kind.BOTH_WAYS);
  }

  /** Returns the metadata of the next RPC, which the library keeps and changes. */
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
