package rpcbench.grpcjava;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** Reaches the bytes of a payload. */
final class Bytes {
  private Bytes() {}

  /** Returns the bytes of a payload, for reading only: its own array where it has one to itself. */
  static byte[] of(ByteString payload) {
    Whole whole = new Whole(payload.size());
    try {
      UnsafeByteOperations.unsafeWriteTo(payload, whole);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Whole throws none
    }
    return whole.bytes != null ? whole.bytes : payload.toByteArray();
  }

  /** Takes the array that a payload consists of, if it is a single one and holds nothing else. */
  private static final class Whole extends ByteOutput {
    private final int size;
    private byte[] bytes;

    Whole(int size) {
      this.size = size;
    }

    @Override
    public void writeLazy(byte[] value, int offset, int length) {
      if (length == size && value.length == size) {
        bytes = value;
      }
    }

    @Override
    public void write(byte value) {}

    @Override
    public void write(byte[] value, int offset, int length) {}

    @Override
    public void write(ByteBuffer value) {}

    @Override
    public void writeLazy(ByteBuffer value) {}
  }
}
