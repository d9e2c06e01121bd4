package rpcbench.microbench;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Passes bytes as messages, so that benchmarks of transports don't measure protobuf. */
final class ByteMessages implements MethodDescriptor.Marshaller<byte[]> {
  @Override
  public InputStream stream(byte[] message) {
    return new Unread(message);
  }

  @Override
  public byte[] parse(InputStream stream) {
    try {
      byte[] message = new byte[stream.available()]; // the whole message, because none is compressed here
      int read = stream.readNBytes(message, 0, message.length);
      if (read < message.length || stream.read() >= 0) {
        throw Status.INTERNAL.withDescription("a message is not as long as it says").asRuntimeException();
      }
      return message;
    } catch (IOException e) {
      throw Status.INTERNAL.withDescription("reading a message").withCause(e).asRuntimeException();
    }
  }

  /** An input message that reports its length and can be drained, as protobuf's can. */
  static final class Unread extends ByteArrayInputStream implements Drainable, KnownLength {
    Unread(byte[] message) {
      super(message);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      return (int) transferTo(target);
    }
  }
}
