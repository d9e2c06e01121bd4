package rpcbench.stack;

import java.util.ArrayDeque;
import java.util.function.LongConsumer;

/** Times the messages of one slot's calls. One thread may send while another receives. */
public final class MessageTimes {
  /** The maximum number of a call's messages that await replies and are timed, to limit memory. */
  private static final int PAIRED_MAX = 1 << 14;

  private static final double SECOND_NS = 1e9;

  private final MessageClock clock;
  private final Ledger ledger;
  private final boolean paired; // replies with messages
  private final boolean gaps; // between replies are timed
  private final int slot;
  private final LongConsumer ask; // null without a rate

  private long begunNs; // the call; guarded by this, as all fields below
  private long lastNs; // when the last reply came
  private long replies; // of the call
  private final ArrayDeque<Sent> waiting = new ArrayDeque<>();

  /** A message that waits for its reply, with when it was due, or without a rate sent. */
  private record Sent(int number, long fromNs) {}

  /** Takes a function that sends messages when one may be due. */
  public MessageTimes(Call call, Runnable wake) {
    this.clock = call.method().clock();
    this.ledger = call.method().ledger();
    this.paired = call.kind().equals(Kind.STREAM);
    this.gaps = call.kind().equals(Kind.DOWNLOAD);
    this.slot = clock.nextSlot();
    this.ask = clock.perSec() > 0 ? clock.beat(wake) : null;
  }

  /** Begins a call. */
  public void begin() {
    if (ask == null && !paired && !gaps) {
      return;
    }
    synchronized (this) {
      begunNs = clock.nowNs();
      replies = 0;
      waiting.clear();
    }
  }

  /** Notes that message i is sent now. It is false before the message is due, and asks for a wake-up then. */
  public boolean sending(int i) {
    return ask == null && !paired || sendingTimed(i);
  }

  private synchronized boolean sendingTimed(int i) {
    long now = clock.nowNs();
    long from = now;
    if (ask != null) {
      from = begunNs + (long) (i * SECOND_NS / clock.perSec());
      if (from > now) {
        ask.accept(from);
        return false;
      }
      clock.record(slot, MessageTime.MESSAGE_LAG, now - from);
    }
    if (paired && i >= replies && waiting.size() < PAIRED_MAX) {
      waiting.add(new Sent(i, from));
    }
    return true;
  }

  /** Notes that a reply came. */
  public void reply() {
    if (paired || gaps) {
      replyTimed();
    }
  }

  private synchronized void replyTimed() {
    long now = clock.nowNs();
    if (replies == 0) {
      clock.record(slot, MessageTime.FIRST_REPLY, now - begunNs);
    } else if (gaps) {
      clock.record(slot, MessageTime.REPLY_GAP, now - lastNs);
    }
    if (paired) {
      pair(now);
    }
    lastNs = now;
    replies++;
  }

  /**
   * Times the message that the next reply answers. A reply without one, because its message is not sent yet or was too far ahead
   * to be noted, is counted.
   */
  private void pair(long now) {
    Sent first = waiting.peek();
    if (first == null || first.number() != replies) {
      ledger.unpaired();
      return;
    }
    waiting.remove();
    clock.record(slot, MessageTime.MESSAGE, now - first.fromNs());
  }
}
