package rpcbench.microbench;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.grpc.Drainable;
import io.grpc.MethodDescriptor;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.grpc.protobuf.ProtoUtils;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Marshals messages of grpc.testing.BenchmarkService with gRPC's protobuf marshaller. */
public class MarshallingBenchmark extends CostBenchmark {
  /** The message to marshal. */
  public enum Kind {
    REQUEST,
    RESPONSE
  }

  @Param public Kind message;

  @Param({"1024", "65536"})
  public int payloadBytes;

  private ByteString body;
  private MethodDescriptor.Marshaller<Message> marshaller;
  private ByteArrayOutputStream frame;
  private byte[] received;

  @Setup(Level.Trial)
  public void fill() throws IOException {
    byte[] random = new byte[payloadBytes];
    new Random(1).nextBytes(random);
    body = ByteString.copyFrom(random);
    marshaller = ProtoUtils.marshaller(build().getDefaultInstanceForType());
    frame = new ByteArrayOutputStream();
    marshal();
    received = frame.toByteArray();
  }

  /** Builds a new message around existing bytes, as a program does for each call. */
  @Benchmark
  public Message build() {
    Payload payload = Payload.newBuilder().setBody(body).build();
    return message == Kind.REQUEST
        ? SimpleRequest.newBuilder().setResponseSize(payloadBytes).setPayload(payload).build()
        : SimpleResponse.newBuilder().setPayload(payload).build();
  }

  /**
   * Builds and marshals a new message, and returns its length. Building is included, because a message that is reused remembers
   * its size.
   */
  @Benchmark
  public int marshal() throws IOException {
    frame.reset();
    try (InputStream stream = marshaller.stream(build())) {
      return ((Drainable) stream).drainTo(frame);
    }
  }

  /** Parses bytes to a message. */
  @Benchmark
  public Message parse() {
    return marshaller.parse(new ByteMessages.Unread(received));
  }
}
