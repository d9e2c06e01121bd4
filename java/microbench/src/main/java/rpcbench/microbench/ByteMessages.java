package rpcbench.microbench;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Bytes as messages, so that a benchmark of transports has no protobuf in it. */
final class ByteMessages implements MethodDescriptor.Marshaller<byte[]> {
  @Override
  public InputStream stream(byte[] message) {
    return new Unread(message);
  }

  @Override
  public byte[] parse(InputStream stream) {
    try {
      byte[] message = new byte[stream.available()]; // all of it: no message here is compressed
      int read = stream.readNBytes(message, 0, message.length);
      if (read < message.length || stream.read() >= 0) {
        throw Status.INTERNAL.withDescription("a message is not as long as it says").asRuntimeException();
      }
      return message;
    } catch (IOException e) {
      throw Status.INTERNAL.withDescription("reading a message").withCause(e).asRuntimeException();
    }
  }

  /** A message to be read, which tells its length and can be drained, as protobuf's does. */
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
