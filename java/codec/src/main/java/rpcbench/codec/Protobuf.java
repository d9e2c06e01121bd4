package rpcbench.codec;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * Protobuf by each of its ways in and out, on generated classes. A message remembers its size and those of the messages
 * in it once it was encoded; before each encoding {@link Sizes} makes all of them forget, because a program encodes a
 * message once.
 */
final class Protobuf {
  private Protobuf() {}

  /** The shortest way: to an array and from one. */
  static Codec.Operations bytes(Content content) {
    return new Coding(content) {
      @Override
      byte[] write(Message message) {
        return message.toByteArray();
      }

      @Override
      public Object decode(byte[] encoded) throws IOException {
        return parser.parseFrom(encoded);
      }
    };
  }

  /** CodedOutputStream and CodedInputStream on an array of the right size. */
  static Codec.Operations coded(Content content) {
    return new Coding(content) {
      @Override
      byte[] write(Message message) throws IOException {
        byte[] encoded = new byte[message.getSerializedSize()];
        CodedOutputStream out = CodedOutputStream.newInstance(encoded);
        message.writeTo(out);
        out.flush();
        out.checkNoSpaceLeft();
        return encoded;
      }

      @Override
      public Object decode(byte[] encoded) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(encoded);
        Object decoded = parser.parseFrom(in);
        in.checkLastTagWas(0);
        return decoded;
      }
    };
  }

  /** ByteArrayOutputStream and ByteArrayInputStream, as any stream. */
  static Codec.Operations stream(Content content) {
    return new Coding(content) {
      @Override
      byte[] write(Message message) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        message.writeTo(out);
        return out.toByteArray();
      }

      @Override
      public Object decode(byte[] encoded) throws IOException {
        return parser.parseFrom(new ByteArrayInputStream(encoded));
      }
    };
  }

  private abstract static class Coding implements Codec.Operations {
    final Parser<? extends Message> parser;
    private final Message message;
    private final Sizes sizes;

    Coding(Content content) {
      message = content.generated();
      parser = message.getParserForType();
      sizes = new Sizes(message);
    }

    abstract byte[] write(Message message) throws IOException;

    @Override
    public final Object object() {
      return message;
    }

    @Override
    public final byte[] encode() throws IOException {
      sizes.forget();
      return write(message);
    }
  }
}
