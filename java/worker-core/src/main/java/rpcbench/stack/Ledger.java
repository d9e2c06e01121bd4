package rpcbench.stack;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Numbers the calls of a foreign service, and counts what they carry. Safe for concurrent use. */
public final class Ledger {
  private final AtomicLong numbers = new AtomicLong();
  private final long part;
  private final long parts;
  private final Sums inWindow = new Sums();
  private final Sums late = new Sums();
  private final LongAdder unpaired = new LongAdder();

  private static final class Sums {
    private final LongAdder messagesOut = new LongAdder();
    private final LongAdder messagesIn = new LongAdder();
    private final LongAdder bytesOut = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();

    void add(Entry call) {
      messagesOut.add(call.messagesOut);
      messagesIn.add(call.messagesIn);
      bytesOut.add(call.bytesOut);
      bytesIn.add(call.bytesIn);
    }

    Traffic traffic(long unpaired) {
      return new Traffic(messagesOut.sum(), messagesIn.sum(), bytesOut.sum(), bytesIn.sum(), unpaired);
    }
  }

  /** The content of one call, counted if the call was good. One thread may send while another receives. */
  public static final class Entry {
    private long messagesOut;
    private long messagesIn;
    private long bytesOut;
    private long bytesIn;
    private boolean late;

    /** Notes a message that was sent. */
    public void sent(long bytes) {
      messagesOut++;
      bytesOut += bytes;
    }

    /** Notes a reply. */
    public void received(long bytes) {
      messagesIn++;
      bytesIn += bytes;
    }

    /** Notes that the call ended after its phase's window: see {@link Caller#late}. */
    public void late() {
      late = true;
    }

    /** Returns the bytes sent so far. */
    public long bytesOut() {
      return bytesOut;
    }

    /** Returns the replies received so far. */
    public long messagesIn() {
      return messagesIn;
    }
  }

  /**
   * Messages, and the bytes of their encodings without gRPC's prefixes, of good calls; and of all calls the replies that were
   * paired with no message.
   */
  public record Traffic(long messagesOut, long messagesIn, long bytesOut, long bytesIn, long unpaired) {
    public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0);

    /** Returns the sum of both. */
    public Traffic plus(Traffic other) {
      return new Traffic(
          messagesOut + other.messagesOut, messagesIn + other.messagesIn, bytesOut + other.bytesOut,
          bytesIn + other.bytesIn, unpaired + other.unpaired);
    }

    /** Returns what was added since an earlier reading. */
    public Traffic minus(Traffic earlier) {
      return new Traffic(
          messagesOut - earlier.messagesOut, messagesIn - earlier.messagesIn, bytesOut - earlier.bytesOut,
          bytesIn - earlier.bytesIn, unpaired - earlier.unpaired);
    }
  }

  /** Numbers calls from 0. */
  public Ledger() {
    this(0, 1);
  }

  /** Numbers calls as those of client number part, from 0, of parts clients that call the same. */
  public Ledger(long part, long parts) {
    this.part = part;
    this.parts = parts;
  }

  /**
   * Returns the number of the next call. On an open stream of ping_pong each message is a call, and the stream's metadata
   * is that of the call that opened it.
   *
   * <p>Of several clients each takes one number of each round of as many. Which one changes without a pattern: if it were always
   * the same, a client would call with some requests only, where their number and that of the clients have a common divisor.
   */
  public long nextCall() {
    long round = numbers.getAndIncrement();
    long turn = (round * 0x9e3779b97f4a7c15L) >>> 33; // 2^64 by the golden ratio, as in Fibonacci hashing
    return round * parts + (part + turn) % parts;
  }

  /** Counts a good call. */
  public void add(Entry call) {
    (call.late ? late : inWindow).add(call);
  }

  void unpaired() {
    unpaired.increment();
  }

  /** Returns everything counted so far. */
  public Traffic traffic() {
    return inWindow.traffic(unpaired.sum()).plus(lateTraffic());
  }

  /** Returns the part of calls that ended after the windows of their phases. */
  public Traffic lateTraffic() {
    return late.traffic(0);
  }
}
