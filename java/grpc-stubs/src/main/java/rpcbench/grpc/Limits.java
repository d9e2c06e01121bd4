package rpcbench.grpc;

import java.util.concurrent.TimeUnit;
import rpcbench.stack.Bounds;
import rpcbench.stack.Call;

/** Limits for clients and servers. */
public final class Limits {
  /** Room for the encoding around an operation's id and payload: two tags, and the lengths of operation and payload. */
  private static final int OPERATION_BYTES = 16;

  /** The largest message: the largest payload, alone or divided among operations, with room for the encoding around it. */
  public static final int MESSAGE_BYTES_MAX = Bounds.MESSAGE_BYTES_MAX + Bounds.BATCH_MAX * OPERATION_BYTES + (1 << 10);

  /** Room for a reply of an unexpected length, which is a MISMATCH. */
  private static final int SPARE_BYTES = 64 << 10;

  /** gRPC's clients silently raise shorter keep-alive times to this. */
  public static final int KEEPALIVE_MS_MIN = 10_000;

  /** The longest time for opening a connection that is not interrupted, as a worker would do, and for closing one. */
  static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(2);

  private Limits() {}

  /** Returns the maximum size of a reply to a call: the expected size, with room for one that is slightly wrong. */
  static int reply(Call call) {
    if (call.method() != null) {
      return call.method().replyBytesMax();
    }
    long due = call.replyBytes();
    return (int) Math.min(MESSAGE_BYTES_MAX, due + due / 64 + (long) call.batch() * OPERATION_BYTES + SPARE_BYTES);
  }
}
