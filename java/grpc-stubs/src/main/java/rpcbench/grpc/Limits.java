package rpcbench.grpc;

import java.util.concurrent.TimeUnit;
import rpcbench.stack.Bounds;
import rpcbench.stack.Call;

/** Bounds that both sides keep. */
public final class Limits {
  /** Room for what surrounds an operation's id and payload: two tags, its length and its payload's. */
  private static final int OPERATION_BYTES = 16;

  /** The largest payload of one message, or operations of that size together, with room for what surrounds them. */
  public static final int MESSAGE_BYTES_MAX = Bounds.MESSAGE_BYTES_MAX + Bounds.BATCH_MAX * OPERATION_BYTES + (1 << 10);

  /** Room for a reply of another length than is due, which is MISMATCH. */
  private static final int SPARE_BYTES = 64 << 10;

  /** gRPC's clients raise a shorter keep-alive to this, silently. */
  public static final int KEEPALIVE_MS_MIN = 10_000;

  /** What opening a connection may take where nobody interrupts it, as a worker does, and what closing one may. */
  static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(2);

  private Limits() {}

  /** The most that a reply to a call may have: what is due, with room for one that is wrong by a little. */
  static int reply(Call call) {
    if (call.method() != null) {
      return call.method().replyBytesMax();
    }
    long due = call.replyBytes();
    return (int) Math.min(MESSAGE_BYTES_MAX, due + due / 64 + (long) call.batch() * OPERATION_BYTES + SPARE_BYTES);
  }
}
