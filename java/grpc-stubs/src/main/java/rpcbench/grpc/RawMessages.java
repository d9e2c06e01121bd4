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

/** Messages of somebody else's service: requests come encoded, and of replies the length is all that is read. */
final class RawMessages {
  private static final int SKIPPED_BYTES = 16 << 10;

  private RawMessages() {}

  /** Describes a method, package.Service/Method, of which calls of a kind are made. */
  static MethodDescriptor<byte[], Integer> method(String name, String kind) {
    return MethodDescriptor.newBuilder(new Requests(), new Lengths()).setType(type(kind)).setFullMethodName(name).build();
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

  private static final class Requests implements Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
      return new Encoded(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      throw new UnsupportedOperationException("a client reads no request");
    }
  }

  /** Tells the library its length, and gives it the bytes in one piece. */
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
      throw new UnsupportedOperationException("a client sends no reply");
    }

    @Override
    public Integer parse(InputStream stream) {
      try {
        return stream instanceof KnownLength ? stream.available() : skipped(stream);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** A compressed message is decompressed to know its length. */
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
