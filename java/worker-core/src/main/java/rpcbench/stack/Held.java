package rpcbench.stack;

import java.util.concurrent.atomic.AtomicLong;

/** The memory in which all bursts of a server hold answers. */
public final class Held {
  private final long most; // bytes; 0 is any number
  private final AtomicLong bytes = new AtomicLong();

  public Held(ServerLimits limits) {
    most = limits.heldBytes();
  }

  /** Takes memory; throws RESOURCE_EXHAUSTED, and takes nothing, where there is not so much. */
  public void take(long more) throws CallException {
    if (bytes.addAndGet(more) > most && most > 0) {
      release(more);
      throw new CallException(
          Code.RESOURCE_EXHAUSTED, "the server holds at most " + most + " bytes of answers to bursts");
    }
  }

  public void release(long less) {
    bytes.addAndGet(-less);
  }

  public long bytes() {
    return bytes.get();
  }
}
