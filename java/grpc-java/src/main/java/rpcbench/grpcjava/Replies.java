package rpcbench.grpcjava;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

/**
 * Follows the replies of one Caller's calls: the number and the lengths while a call runs, the bytes of the last reply
 * after it. So checking costs the measured time next to nothing, and memory does not grow with messages.
 */
final class Replies {
  private final Call.Check check;
  private final int want;
  private final int length;

  private int got;
  private int wrongAt; // the first reply of another length, from 1; 0 is none
  private int wrongBytes;
  private ByteString last;
  private boolean complete;

  /** Follows calls of which each has want replies. */
  Replies(Call call, int want) {
    this.check = call.check();
    this.want = want;
    this.length = call.responseBytes();
  }

  void begin() {
    got = 0;
    wrongAt = 0;
    last = null;
    complete = false;
  }

  void add(ByteString payload) {
    got++;
    last = payload;
    if (payload.size() != length && wrongAt == 0) {
      wrongAt = got;
      wrongBytes = payload.size();
    }
  }

  /** Ends a call that did not fail. */
  void end() {
    complete = true;
  }

  /** Is {@link rpcbench.stack.Caller#after}: null after a failed call, MISMATCH after a wrong reply. */
  CallException verify() {
    if (!complete) {
      return null;
    }
    String wrong = wrong();
    return wrong == null ? null : new CallException(Code.MISMATCH, wrong);
  }

  private String wrong() {
    if (got != want) {
      return got + " replies came, " + want + " were due";
    }
    if (wrongAt != 0) {
      return "reply " + wrongAt + " has " + wrongBytes + " bytes, " + length + " were asked for";
    }
    return check == null ? null : check.wrong(bytesOf(last));
  }

  /** Returns the bytes of a payload, for reading only: its own array where it has one to itself. */
  static byte[] bytesOf(ByteString payload) {
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
