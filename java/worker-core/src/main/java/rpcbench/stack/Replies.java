package rpcbench.stack;

import java.util.Arrays;

/**
 * Assigns ids to the operations of one Caller's calls and checks the replies. While the call runs it checks their number and, if
 * a call has several, their lengths and ids; the rest is checked afterwards, for several replies the bytes of the last one.
 * Checking thus adds almost nothing to the measured time, and memory does not grow with messages.
 *
 * @param <A> the library's type of a reply
 */
public final class Replies<A> {
  /**
   * The number of ids that a slot has before it continues with its neighbor's. It is far more than there are operations in
   * flight, so that no answer can be mistaken for another's.
   */
  static final long SLOT_IDS = 1L << 40;

  private final Answers<A> answers;
  private final Call.Check check;
  private final int sent; // messages of a call
  private final int want; // replies of a call
  private final int length; // of every answer
  private final int batch; // operations of a message; 0 is none
  private final long[] seen; // a bit for each operation of a message
  private final Call call;
  private final int slot;
  private final Ledger ledger; // of a foreign service, whose replies are counted and not checked; null for ours

  private long first; // the id of this call's first operation
  private long next; // and of the next call's
  private long firstMessage; // the number of this call's first message
  private long nextMessage; // and of the next call's

  private int got;
  private String wrong; // about the first wrong reply
  private A last;
  private boolean complete;
  private boolean late;
  private Ledger.Entry carried; // by a call of the ledger's

  /** Follows the calls of a slot, whose operations have other ids than those of other slots. */
  public Replies(Call call, int slot, Answers<A> answers) {
    this.answers = answers;
    this.call = call;
    this.slot = slot;
    this.check = call.check();
    this.sent = call.messagesOut();
    this.want = call.messagesIn();
    this.length = call.responseBytes();
    this.batch = call.batch();
    this.seen = new long[(batch + 63) / 64];
    this.ledger = call.method() == null ? null : call.method().ledger();
    this.next = slot * SLOT_IDS;
  }

  /** Starts a call. */
  public void begin() {
    first = next;
    next += (long) sent * batch;
    firstMessage = nextMessage;
    nextMessage += sent;
    got = 0;
    wrong = null;
    last = null;
    complete = false;
    late = false;
    if (ledger != null) {
      carried = new Ledger.Entry();
    }
  }

  /** Returns the id of the first operation in message i of the call, 0 ≤ i; the others count up. */
  public long firstId(int i) {
    return first + (long) i * batch;
  }

  /** Returns the properties of message i of the call, 0 ≤ i. */
  public Message message(int i) {
    if (call.drawn() == null) {
      return new Message(firstId(i), call.request().length, length, null, slot);
    }
    return call.drawn().message(call, slot, firstMessage + i, firstId(i));
  }

  /** Which message of the call the last reply answers. One reply to many messages answers the last. */
  private int answered() {
    return sent - want + got - 1;
  }

  /** Counts a reply, which is kept until the next one or the next call. Returns whether it is the last that is due. */
  public boolean add(A reply) {
    got++;
    last = reply;
    if (ledger != null) {
      carried.received(answers.length(reply, 0));
    } else if (wrong == null && got <= want) {
      if (batch == 0) {
        wrong = wrongLength(reply);
      } else if (want > 1) {
        wrong = match(null);
      }
    }
    return got == want;
  }

  /** Ends a call that did not fail. */
  public void end() {
    complete = true;
  }

  /** Notes a message of a foreign service that was sent, and its length. */
  public void sent(int bytes) {
    if (ledger != null) {
      carried.sent(bytes);
    }
  }

  /** Is {@link Caller#late}. */
  public void late() {
    late = true;
    if (ledger != null) {
      carried.late();
    }
  }

  /** Is {@link Caller#after}: null after a failed call, MISMATCH after a wrong reply. */
  public CallException verify() {
    String found = complete ? mismatch() : null;
    if (complete && found == null) {
      count();
    }
    return found == null ? null : new CallException(Code.MISMATCH, found);
  }

  private void count() {
    if (call.drawn() != null) {
      Ledger.Entry entry = new Ledger.Entry();
      for (int i = 0; i < sent; i++) {
        call.drawn().count(entry, call, message(i), i >= sent - want);
      }
      if (late) {
        entry.late();
      }
      call.drawn().ledger().add(entry);
    } else if (ledger != null) {
      ledger.add(carried);
    }
  }

  private String mismatch() {
    if (got != want) {
      return got + " replies came, expected " + want;
    }
    if (wrong != null) {
      return wrong;
    }
    if (batch > 0) {
      return match(check);
    }
    return check == null ? null : check.wrong(answers.payload(last, 0));
  }

  private String wrongLength(A reply) {
    int bytes = answers.length(reply, 0);
    int due = call.drawn() == null ? length : message(answered()).responseBytes();
    return bytes == due ? null : "reply " + got + " has " + bytes + " bytes, expected " + due;
  }

  /** Matches every answer of the last reply with its operation. One reply to many messages answers the last of them. */
  private String match(Call.Check payloads) {
    int count = answers.count(last);
    if (count != batch) {
      return "the message has " + count + " answers, expected " + batch;
    }
    Arrays.fill(seen, 0);
    Message asked = message(answered());
    for (int i = 0; i < batch; i++) {
      String found = matchOne(i, asked, payloads);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private String matchOne(int i, Message asked, Call.Check payloads) {
    long from = asked.first();
    long id = answers.id(last, i);
    long operation = id - from;
    if (operation < 0 || operation >= batch) {
      return "answer " + (i + 1) + " has id " + Long.toUnsignedString(id) + "; the operations have ids " + from
          + " to " + (from + batch - 1);
    }
    long bit = 1L << operation; // modulo 64
    if ((seen[(int) (operation / 64)] & bit) != 0) {
      return "operation " + id + " was answered twice";
    }
    seen[(int) (operation / 64)] |= bit;
    int bytes = answers.length(last, i);
    if (asked.accesses() != null) {
      return asked.accesses().wrong(asked, (int) operation, bytes, answers.payload(last, i));
    }
    if (bytes != length) {
      return "answer " + (i + 1) + " has " + bytes + " bytes, expected " + length;
    }
    return payloads == null ? null : payloads.wrong(answers.payload(last, i));
  }
}
