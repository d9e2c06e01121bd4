package rpcbench.codec;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.LongSupplier;
import rpcbench.payload.Gzip;
import rpcbench.stack.BlockingCaller;
import rpcbench.stack.Calibrated;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

/**
 * Performs the operations of one call. It keeps the last result in a field, by a store that no compiler may omit, so that no
 * operation is omitted either.
 */
public final class CodecCaller extends BlockingCaller implements Calibrated {
  /** The number of parts of a call. Between them it checks whether it was canceled. */
  private static final int STRETCHES = 64;

  private static final AtomicReferenceFieldUpdater<CodecCaller, Object> RESULT =
      AtomicReferenceFieldUpdater.newUpdater(CodecCaller.class, Object.class, "result");

  private final Codec.Operations operations;
  private final boolean decodes;
  private final byte[] encoded; // the expected result of encode, and the input of decode
  private final int gzippedBytes;
  private final int plainBytes;
  private final long repeat;
  private volatile Object result;

  /** Checks that the codec loses nothing, and determines the number of operations in a call, see {@link Calibration}. */
  CodecCaller(Codec.Operations operations, boolean decodes, LongSupplier now, long sampleNs)
      throws Exception {
    this.operations = operations;
    this.decodes = decodes;
    encoded = checked(operations);
    gzippedBytes = operations.gzipped() ? encoded.length : Gzip.pack(encoded).length;
    plainBytes = operations.plainBytes(encoded);
    repeat = Calibration.repeat(now, sampleNs, this::run);
  }

  /** Encodes, decodes and compares. */
  public static byte[] checked(Codec.Operations operations) throws Exception {
    byte[] encoded = operations.encode();
    String lost = Difference.of(operations.decode(encoded), operations.object(), operations::fields);
    if (lost != null) {
      throw new IllegalStateException("what was encoded and decoded again is not the same: " + lost);
    }
    return encoded;
  }

  @Override
  public long repeat() {
    return repeat;
  }

  @Override
  public long encodedBytes() {
    return encoded.length;
  }

  @Override
  public long gzippedBytes() {
    return gzippedBytes;
  }

  @Override
  public long plainBytes() {
    return plainBytes;
  }

  @Override
  protected void perform() throws CallException {
    long stretch = Math.max(1, repeat / STRETCHES);
    for (long left = repeat; left > 0; left -= stretch) {
      if (isCancelled()) {
        throw new CallException(Code.CANCELLED, "it was cancelled with " + left + " operations to go");
      }
      try {
        run(Math.min(stretch, left));
      } catch (Exception e) {
        throw new CallException(Code.INTERNAL, e.toString(), e);
      }
    }
  }

  /** Does nothing, because perform itself checks whether it was canceled. */
  @Override
  protected void abort() {}

  private void run(long n) throws Exception {
    if (decodes) {
      for (long i = 0; i < n; i++) {
        RESULT.lazySet(this, operations.decode(encoded));
      }
    } else {
      for (long i = 0; i < n; i++) {
        RESULT.lazySet(this, operations.encode());
      }
    }
  }

  @Override
  public void late() {} // its calls carry nothing

  @Override
  public CallException after() {
    Object last = result;
    result = null;
    if (last == null) {
      return null;
    }
    if (!decodes) {
      return Arrays.equals((byte[]) last, encoded) ? null : mismatch("the last encoding is not like the first");
    }
    String wrong = Difference.of(last, operations.object(), operations::fields);
    return wrong == null ? null : mismatch("the last message decoded is wrong: " + wrong);
  }

  private static CallException mismatch(String message) {
    return new CallException(Code.MISMATCH, message);
  }
}
