package rpcbench.grpcjava;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import rpcbench.stack.Call;
import rpcbench.stack.Kind;

/**
 * What a kind of call is in gRPC.
 *
 * @param out messages that the client sends
 * @param in messages that the server sends
 */
record Rpc(MethodDescriptor<SimpleRequest, SimpleResponse> method, int out, int in) {
  /** The request metadata that tells one of our servers how many messages a download has. */
  static final Metadata.Key<String> MESSAGES =
      Metadata.Key.of("rpcbench-messages", Metadata.ASCII_STRING_MARSHALLER);

  static Rpc of(Call call) {
    return switch (call.kind()) {
      case Kind.UNARY -> new Rpc(BenchmarkServiceGrpc.getUnaryCallMethod(), 1, 1);
      case Kind.STREAM -> new Rpc(BenchmarkServiceGrpc.getStreamingCallMethod(), call.messages(), call.messages());
      case Kind.UPLOAD -> new Rpc(BenchmarkServiceGrpc.getStreamingFromClientMethod(), call.messages(), 1);
      case Kind.DOWNLOAD -> new Rpc(BenchmarkServiceGrpc.getStreamingFromServerMethod(), 1, call.messages());
      default -> throw new IllegalArgumentException(call.kind() + " is not one RPC");
    };
  }

  /** The request of every message, which wraps the call's bytes. */
  static SimpleRequest request(Call call) {
    Payload payload = Payload.newBuilder().setBody(UnsafeByteOperations.unsafeWrap(call.request())).build();
    return SimpleRequest.newBuilder().setResponseSize(call.responseBytes()).setPayload(payload).build();
  }

  boolean isDownload() {
    return method == BenchmarkServiceGrpc.getStreamingFromServerMethod();
  }

  /** Metadata of the next RPC; the library keeps and changes it. */
  Metadata metadata() {
    Metadata metadata = new Metadata();
    if (isDownload()) {
      metadata.put(MESSAGES, Integer.toString(in));
    }
    return metadata;
  }
}
