package rpcbench.stack;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Numbers the calls of somebody else's service, and counts what they carry. Safe for concurrent use. */
public final class Ledger {
  private final AtomicLong numbers = new AtomicLong();
  private final LongAdder messagesOut = new LongAdder();
  private final LongAdder messagesIn = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder unpaired = new LongAdder();

  /**
   * Messages, and the bytes of their encodings without gRPC's prefixes, of good calls; and of all calls the replies that were
   * paired with no message.
   */
  public record Traffic(long messagesOut, long messagesIn, long bytesOut, long bytesIn, long unpaired) {
    /** What was added since an earlier one. */
    public Traffic minus(Traffic earlier) {
      return new Traffic(
          messagesOut - earlier.messagesOut, messagesIn - earlier.messagesIn, bytesOut - earlier.bytesOut,
          bytesIn - earlier.bytesIn, unpaired - earlier.unpaired);
    }
  }

  /**
   * Numbers a call, from 0. On an open stream of ping_pong each message is a call, and the stream's metadata is that of the call
   * which opened it.
   */
  public long nextCall() {
    return numbers.getAndIncrement();
  }

  /** Counts what was sent by a good call. */
  public void sent(long messages, long bytes) {
    messagesOut.add(messages);
    bytesOut.add(bytes);
  }

  /** Counts what came for a good call. */
  public void received(long messages, long bytes) {
    messagesIn.add(messages);
    bytesIn.add(bytes);
  }

  void unpaired() {
    unpaired.increment();
  }

  /** What was counted so far. */
  public Traffic traffic() {
    return new Traffic(messagesOut.sum(), messagesIn.sum(), bytesOut.sum(), bytesIn.sum(), unpaired.sum());
  }
}
