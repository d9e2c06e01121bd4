package rpcbench.codec;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;

/**
 * Protobuf's ways to encode and decode, on generated classes of any form. A message remembers its size, and those of the messages
 * in it, once it was encoded. Before each encoding all of them are reset, because a program encodes a message once.
 */
public final class Protobuf {
  private Protobuf() {}

  /** A form of generated classes. */
  public interface Form {
    /** Returns the message with the content of one of {@link Plain}'s records. */
    Made make(Record plain);

    /** Returns the fields of a message, as in {@link Codec.Operations#fields}. */
    Map<String, Object> fields(Object message);
  }

  /**
   * A message.
   *
   * @param forget resets all sizes that it and the messages in it remember
   */
  public record Made(MessageLite message, Runnable forget) {}

  /** Returns the codecs of a form, by their names. */
  public static Map<String, Codec> codecs(Form form) {
    return Map.of(
        // The shortest way: to and from an array.
        "protobuf-bytes", content -> new Coding(form, content, MessageLite::toByteArray, Parser::parseFrom),
        "protobuf-coded", content -> new Coding(form, content, Protobuf::writeCoded, Protobuf::readCoded),
        "protobuf-stream", content -> new Coding(form, content, Protobuf::writeStream, Protobuf::readStream));
  }

  /** Writes to a CodedOutputStream on an array of the exact size. */
  private static byte[] writeCoded(MessageLite message) throws IOException {
    byte[] encoded = new byte[message.getSerializedSize()];
    CodedOutputStream out = CodedOutputStream.newInstance(encoded);
    message.writeTo(out);
    out.flush();
    out.checkNoSpaceLeft();
    return encoded;
  }

  private static Object readCoded(Parser<? extends MessageLite> parser, byte[] encoded) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(encoded);
    Object decoded = parser.parseFrom(in);
    in.checkLastTagWas(0);
    return decoded;
  }

  /** Writes as to any stream. */
  private static byte[] writeStream(MessageLite message) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    message.writeTo(out);
    return out.toByteArray();
  }

  private static Object readStream(Parser<? extends MessageLite> parser, byte[] encoded) throws IOException {
    return parser.parseFrom(new ByteArrayInputStream(encoded));
  }

  @FunctionalInterface
  private interface Writing {
    byte[] write(MessageLite message) throws IOException;
  }

  @FunctionalInterface
  private interface Reading {
    Object read(Parser<? extends MessageLite> parser, byte[] encoded) throws IOException;
  }

  private record Coding(Form form, Made made, Writing writing, Reading reading) implements Codec.Operations {
    Coding(Form form, Content content, Writing writing, Reading reading) {
      this(form, form.make(content.plain()), writing, reading);
    }

    @Override
    public Object object() {
      return made.message;
    }

    @Override
    public byte[] encode() throws IOException {
      made.forget.run();
      return writing.write(made.message);
    }

    @Override
    public Object decode(byte[] encoded) throws IOException {
      return reading.read(made.message.getParserForType(), encoded);
    }

    @Override
    public Map<String, Object> fields(Object message) {
      return form.fields(message);
    }
  }
}
