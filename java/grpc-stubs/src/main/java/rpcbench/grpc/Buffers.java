package rpcbench.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import rpcbench.stack.Answers;
import rpcbench.stack.Call;

/**
 * The messages of grpc.testing.BenchmarkService as bytes. A request is encoded once. In a received message only the payload is
 * located. A payload is copied only into and out of the library's buffers.
 */
final class Buffers {
  private static final int LENGTH_DELIMITED = 2; // a wire type

  static final Answers<ByteString> ANSWERS =
      Answers.single(answer -> bodyOf(answer).size(), answer -> bodyOf(answer).asReadOnlyByteBuffer());

  private Buffers() {}

  /** Describes a method like the generated descriptor, except for its messages. */
  static MethodDescriptor<ByteString, ByteString> method(MethodDescriptor<SimpleRequest, SimpleResponse> generated) {
    return generated.toBuilder(new AsItIs(), new AsItIs()).build();
  }

  /** Encodes the message that requests makes: once, unless messages differ in length. */
  static Rpc.Requests<ByteString> requests(Call call, Rpc.Requests<SimpleRequest> requests) {
    if (call.drawn() != null) {
      return message -> requests.next(message).toByteString();
    }
    ByteString encoded = requests.next(null).toByteString(); // without drawn lengths all messages are the same
    return message -> encoded;
  }

  /** Returns the payload of an answer. It is empty, and thus of a wrong length, if the answer can't be read. */
  static ByteString bodyOf(ByteString answer) {
    try {
      return field(field(answer, SimpleResponse.PAYLOAD_FIELD_NUMBER), Payload.BODY_FIELD_NUMBER);
    } catch (IOException e) {
      return ByteString.EMPTY;
    }
  }

  /** Encodes an answer. */
  static ByteString answer(ByteString body) {
    if (body.isEmpty()) {
      return SimpleResponse.newBuilder().setPayload(Payload.getDefaultInstance()).build().toByteString();
    }
    int size = body.size();
    int inner = headOf(Payload.BODY_FIELD_NUMBER, size) + size;
    byte[] head = new byte[headOf(SimpleResponse.PAYLOAD_FIELD_NUMBER, inner) + inner - size];
    CodedOutputStream out = CodedOutputStream.newInstance(head);
    try {
      out.writeTag(SimpleResponse.PAYLOAD_FIELD_NUMBER, LENGTH_DELIMITED);
      out.writeUInt32NoTag(inner);
      out.writeTag(Payload.BODY_FIELD_NUMBER, LENGTH_DELIMITED);
      out.writeUInt32NoTag(size);
    } catch (IOException e) {
      throw new UncheckedIOException("it is an array that is long enough", e);
    }
    return UnsafeByteOperations.unsafeWrap(head).concat(body);
  }

  /** The length of a field's tag and length prefix. */
  private static int headOf(int number, int size) {
    return CodedOutputStream.computeTagSize(number) + CodedOutputStream.computeUInt32SizeNoTag(size);
  }

  /**
   * The parts of a request that determine its answer.
   *
   * @param size of the answer's payload
   */
  record Asked(int size, ByteString body) {}

  /** Reads a request. Returns null if it has more than a length and one payload; the generated classes must read it then. */
  static Asked read(ByteString request) throws IOException {
    int size = 0;
    ByteString payload = null;
    CodedInputStream in = request.newCodedInput();
    in.enableAliasing(true);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == tag(SimpleRequest.RESPONSE_SIZE_FIELD_NUMBER, 0)) {
        size = in.readInt32();
      } else if (tag == tag(SimpleRequest.PAYLOAD_FIELD_NUMBER, LENGTH_DELIMITED) && payload == null) {
        payload = in.readBytes();
      } else {
        return null;
      }
    }
    return new Asked(size, payload == null ? ByteString.EMPTY : field(payload, Payload.BODY_FIELD_NUMBER));
  }

  /** Returns the bytes of the last field with a number, empty if there is none. */
  private static ByteString field(ByteString message, int number) throws IOException {
    ByteString found = ByteString.EMPTY;
    CodedInputStream in = message.newCodedInput();
    in.enableAliasing(true);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == tag(number, LENGTH_DELIMITED)) {
        found = in.readBytes();
      } else if (!in.skipField(tag)) {
        throw new InvalidProtocolBufferException("a group ends that did not begin");
      }
    }
    return found;
  }

  private static int tag(int number, int wireType) {
    return number << 3 | wireType;
  }

  /** Passes bytes through unchanged. */
  private static final class AsItIs implements Marshaller<ByteString> {
    @Override
    public InputStream stream(ByteString message) {
      return new Reading(message);
    }

    @Override
    public ByteString parse(InputStream stream) {
      try {
        return stream instanceof KnownLength ? known(stream, stream.available()) : ByteString.readFrom(stream);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static ByteString known(InputStream stream, int length) throws IOException {
      byte[] bytes = new byte[length];
      for (int got = 0; got < length; ) {
        int read = stream.read(bytes, got, length - got);
        if (read < 0) {
          throw new EOFException("a message of " + length + " bytes ended after " + got);
        }
        got += read;
      }
      return UnsafeByteOperations.unsafeWrap(bytes);
    }
  }

  /** Reports its length to the library, and writes itself into the library's buffer. */
  private static final class Reading extends InputStream implements KnownLength, Drainable {
    private final ByteString message;
    private InputStream left; // null before anything was read

    Reading(ByteString message) {
      this.message = message;
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      message.writeTo(target);
      left = new ByteArrayInputStream(new byte[0]);
      return message.size();
    }

    private InputStream left() {
      left = left == null ? message.newInput() : left;
      return left;
    }

    @Override
    public int read() throws IOException {
      return left().read();
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      return left().read(to, offset, length);
    }

    @Override
    public int available() throws IOException {
      return left == null ? message.size() : left.available();
    }
  }
}
