package rpcbench.grpc;

import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.stub.ServerCalls;
import rpcbench.stack.CallException;
import rpcbench.stack.Held;
import rpcbench.stack.Info;
import rpcbench.stack.OptionValues;
import rpcbench.stack.ServeConfig;

/** Answers every message with the same bytes and decodes none, as gRPC's generic benchmark servers do. */
public final class Generic implements Responder<Integer, byte[]> {
  /** The option that makes a server generic. */
  public static final Info.Option INFO = Info.Option.number(
      "generic_response_bytes",
      "Answer every message of UnaryCall and StreamingCall with this many bytes and decode none, as gRPC's generic benchmark "
          + "servers; default off.",
      false, true, 0, Limits.MESSAGE_BYTES_MAX, "");

  private final byte[] answer;
  private final Held held;

  private Generic(int bytes, Held held) {
    this.answer = new byte[bytes];
    this.held = held;
  }

  /** Returns the generic service that the options ask for, null for none. */
  static Generic of(ServeConfig config, Held held) throws CallException {
    int bytes = new OptionValues(config.options()).number(INFO, -1);
    return bytes < 0 ? null : new Generic(bytes, held);
  }

  ServerServiceDefinition service() {
    String name = BenchmarkServiceGrpc.SERVICE_NAME;
    return ServerServiceDefinition.builder(name)
        .addMethod(
            RawMessages.answered(name + "/UnaryCall", MethodType.UNARY), ServerCalls.<Integer, byte[]>asyncUnaryCall(this::answer))
        .addMethod(
            RawMessages.answered(name + "/StreamingCall", MethodType.BIDI_STREAMING),
            ServerCalls.<Integer, byte[]>asyncBidiStreamingCall(this::answerEach))
        .build();
  }

  @Override
  public byte[] respond(Integer requestBytes) {
    return answer;
  }

  @Override
  public long bytes(byte[] answer) {
    return answer.length;
  }

  @Override
  public Held held() {
    return held;
  }
}
