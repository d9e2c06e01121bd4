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
    return new Coding(content, Message::toByteArray, Parser::parseFrom);
  }

  /** CodedOutputStream and CodedInputStream on an array of the right size. */
  static Codec.Operations coded(Content content) {
    return new Coding(
        content,
        message -> {
          byte[] encoded = new byte[message.getSerializedSize()];
          CodedOutputStream out = CodedOutputStream.newInstance(encoded);
          message.writeTo(out);
          out.flush();
          out.checkNoSpaceLeft();
          return encoded;
        },
        (parser, encoded) -> {
          CodedInputStream in = CodedInputStream.newInstance(encoded);
          Object decoded = parser.parseFrom(in);
          in.checkLastTagWas(0);
          return decoded;
        });
  }

  /** ByteArrayOutputStream and ByteArrayInputStream, as any stream. */
  static Codec.Operations stream(Content content) {
    return new Coding(
        content,
        message -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          message.writeTo(out);
          return out.toByteArray();
        },
        (parser, encoded) -> parser.parseFrom(new ByteArrayInputStream(encoded)));
  }

  @FunctionalInterface
  private interface Writing {
    byte[] write(Message message) throws IOException;
  }

  @FunctionalInterface
  private interface Reading {
    Object read(Parser<? extends Message> parser, byte[] encoded) throws IOException;
  }

  private record Coding(Message message, Sizes sizes, Writing writing, Reading reading) implements Codec.Operations {
    Coding(Content content, Writing writing, Reading reading) {
      this(content.generated(), new Sizes(content.generated()), writing, reading);
    }

    @Override
    public Object object() {
      return message;
    }

    @Override
    public byte[] encode() throws IOException {
      sizes.forget();
      return writing.write(message);
    }

    @Override
    public Object decode(byte[] encoded) throws IOException {
      return reading.read(message.getParserForType(), encoded);
    }
  }
}
