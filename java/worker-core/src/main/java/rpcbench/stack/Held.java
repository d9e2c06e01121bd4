package rpcbench.stack;

import java.util.concurrent.atomic.AtomicLong;

/** The memory for answers that all bursts of a server hold. */
public final class Held {
  private final long maxBytes; // 0 is no limit
  private final AtomicLong bytes = new AtomicLong();

  public Held(ServerLimits limits) {
    maxBytes = limits.heldBytes();
  }

  /** Takes memory; throws RESOURCE_EXHAUSTED, and takes nothing, if there is not enough. */
  public void take(long more) throws CallException {
    if (bytes.addAndGet(more) > maxBytes && maxBytes > 0) {
      release(more);
      throw new CallException(
          Code.RESOURCE_EXHAUSTED, "the server holds at most " + maxBytes + " bytes of answers to bursts");
    }
  }

  public void release(long less) {
    bytes.addAndGet(-less);
  }

  public long bytes() {
    return bytes.get();
  }
}
