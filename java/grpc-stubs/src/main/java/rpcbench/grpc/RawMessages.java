package rpcbench.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import rpcbench.stack.Kind;

/** Messages that are not decoded: requests are already encoded, and of replies only the length is read. */
final class RawMessages {
  private static final int SKIPPED_BYTES = 16 << 10;

  private RawMessages() {}

  /** Describes a method, package.Service/Method, for calls of a kind. */
  static MethodDescriptor<byte[], Integer> method(String name, String kind) {
    return MethodDescriptor.newBuilder(new Encodings(), new Lengths()).setType(type(kind)).setFullMethodName(name).build();
  }

  /** Describes a method, package.Service/Method, for its server. */
  static MethodDescriptor<Integer, byte[]> answered(String name, MethodType type) {
    return MethodDescriptor.newBuilder(new Lengths(), new Encodings()).setType(type).setFullMethodName(name).build();
  }

  private static MethodType type(String kind) {
    return switch (kind) {
      case Kind.UNARY -> MethodType.UNARY;
      case Kind.UPLOAD -> MethodType.CLIENT_STREAMING;
      case Kind.DOWNLOAD -> MethodType.SERVER_STREAMING;
      case Kind.STREAM, Kind.PING_PONG -> MethodType.BIDI_STREAMING;
      default -> throw new IllegalArgumentException("a method has no " + kind);
    };
  }

  private static final class Encodings implements Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
      return new Encoded(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      throw new UnsupportedOperationException("it is sent, and not read");
    }
  }

  /** A message that reports its length to the library and writes its bytes in one piece. */
  private static final class Encoded extends ByteArrayInputStream implements KnownLength, Drainable {
    Encoded(byte[] message) {
      super(message);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int left = count - pos;
      target.write(buf, pos, left);
      pos = count;
      return left;
    }
  }

  private static final class Lengths implements Marshaller<Integer> {
    @Override
    public InputStream stream(Integer message) {
      throw new UnsupportedOperationException("it is read, and not sent");
    }

    @Override
    public Integer parse(InputStream stream) {
      try {
        return stream instanceof KnownLength ? stream.available() : skipped(stream);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Returns the length of a compressed message by decompressing it. */
    private static int skipped(InputStream stream) throws IOException {
      byte[] buffer = new byte[SKIPPED_BYTES];
      int length = 0;
      for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
        length += read;
      }
      return length;
    }
  }
}
