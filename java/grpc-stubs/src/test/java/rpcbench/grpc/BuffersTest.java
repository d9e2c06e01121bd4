package rpcbench.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.BoolValue;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.PayloadType;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import rpcbench.stack.Call;
import rpcbench.stack.Kind;

/** Buffers equal the encodings of generated classes, and read them. */
class BuffersTest {
  private static final int[] SIZES = {0, 1, 100, 127, 128, 16_383, 16_384, 3_000_000};

  private static ByteString body(int size) {
    return ByteString.copyFrom(new byte[size]).concat(ByteString.EMPTY);
  }

  private static Payload payload(int size) {
    return Payload.newBuilder().setBody(body(size)).build();
  }

  @Test
  void answersAreEncodedAndReadAsClassesDoIt() {
    for (int size : SIZES) {
      ByteString generated = SimpleResponse.newBuilder().setPayload(payload(size)).build().toByteString();
      assertEquals(generated, Buffers.answer(body(size)), size + " bytes");
      assertEquals(size, Buffers.ANSWERS.length(generated, 0));
      assertEquals(body(size).asReadOnlyByteBuffer(), Buffers.ANSWERS.payload(generated, 0));
    }
    SimpleResponse more = SimpleResponse.newBuilder().setUsername("ada").setPayload(payload(7)).setOauthScope("all").build();
    assertEquals(7, Buffers.ANSWERS.length(more.toByteString(), 0));
    assertEquals(0, Buffers.ANSWERS.length(SimpleResponse.getDefaultInstance().toByteString(), 0));
  }

  @Test
  void requestsAreThoseOfClasses() throws IOException {
    for (int size : SIZES) {
      Call call = new Call(Kind.UNARY, new byte[size], 2 * size, 0, 0, null);
      SimpleRequest generated = SimpleRequest.newBuilder().setResponseSize(2 * size).setPayload(payload(size)).build();
      ByteString encoded = Buffers.requests(call, Singles.requests(call)).next(null);
      assertEquals(generated.toByteString(), encoded);
      assertEquals(new Buffers.Asked(2 * size, body(size)), Buffers.read(encoded));
    }
    assertEquals(new Buffers.Asked(0, ByteString.EMPTY), Buffers.read(ByteString.EMPTY));
  }

  /** Covers everything that a request may ask for besides a length, and fields that occur twice. */
  @Test
  void whatIsNotPlainIsLeftToClasses() throws IOException {
    ByteString plain = SimpleRequest.newBuilder().setPayload(payload(3)).build().toByteString();
    assertNull(Buffers.read(plain.concat(plain)));
    assertNull(Buffers.read(
        SimpleRequest.newBuilder().setResponseType(PayloadType.forNumber(0)).setExpectCompressed(BoolValue.getDefaultInstance())
            .build().toByteString()));
  }

  @Test
  void brokenBytesAreNoRequestAndAnEmptyAnswer() {
    for (String text : new String[] {"\u001a\u007f", "\u001a\u0002\u0012\u007f", "\u0010", "\u001a\u0001\u0014"}) {
      ByteString broken = ByteString.copyFromUtf8(text);
      assertThrows(IOException.class, () -> Buffers.read(broken), text);
      assertEquals(0, Buffers.ANSWERS.length(ByteString.copyFromUtf8("\n" + text), 0));
    }
  }

  /** A compressed message arrives as a stream of unknown length. */
  @Test
  void streamsOfAnyKindAreReadWhole() throws IOException {
    var marshaller = Buffers.method(BenchmarkServiceGrpc.getUnaryCallMethod()).getRequestMarshaller();
    ByteString message = body(100_000).concat(ByteString.copyFromUtf8("end"));
    try (InputStream known = marshaller.stream(message); InputStream plain = new ByteArrayInputStream(message.toByteArray())) {
      assertEquals(message.size(), known.available());
      assertEquals(0, known.read());
      assertEquals(message.substring(1), marshaller.parse(known));
      assertEquals(message, marshaller.parse(plain));
    }
  }
}
