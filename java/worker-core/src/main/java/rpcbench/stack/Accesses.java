package rpcbench.stack;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongUnaryOperator;
import rpcbench.payload.Words;

/**
 * Random operations on a {@link Store}, as described by Go's {@code stack.Accesses}; internal/stack/testdata/accesses.csv pins
 * examples.
 */
public final class Accesses implements Drawn {
  /** The minimum size of a value: its record's key. */
  public static final int VALUE_BYTES_MIN = 8;

  /** The maximum number of records of a store. */
  public static final long RECORDS_MAX = 1L << 30;

  private static final int DRAWS = 1 << 20;
  private static final long STRIDE = 648055;
  private static final int WRITES = 1 << 31;
  private static final long MILLION = 1_000_000;

  /**
   * The proportion of reads, and the probability of each record.
   *
   * @param theta the exponent of a Zipf distribution; 0 is uniform
   * @param zeta the sum of 1/i^theta for i from 1 to records
   */
  public record Mix(long records, long readsPerMillion, double theta, double zeta) {
    /** Finds the record of a random word, by Gray et al. (SIGMOD 1994) as YCSB's ZipfianGenerator does. */
    LongUnaryOperator record() {
      if (theta == 0) {
        return word -> Words.below(word, records);
      }
      double second = 1 + Math.pow(0.5, theta);
      double eta = (1 - Math.pow(2.0 / records, 1 - theta)) / (1 - second / zeta);
      return word -> {
        double u = (word >>> 11) * 0x1p-53;
        double at = u * zeta;
        if (at < 1) {
          return 0;
        }
        if (at < second) {
          return Math.min(1, records - 1);
        }
        return Math.min((long) (records * Math.pow(eta * u - eta + 1, 1 / (1 - theta))), records - 1);
      };
    }
  }

  private final int[] draws; // the record, and WRITES
  private final int connection;
  private final int connections;
  private final Ledger ledger;

  private Accesses(int[] draws, int connection, int connections, Ledger ledger) {
    this.draws = draws;
    this.connection = connection;
    this.connections = connections;
    this.ledger = ledger;
  }

  /** Draws accesses. */
  public static Accesses of(long seed, Mix mix) {
    int[] draws = new int[DRAWS];
    LongUnaryOperator record = mix.record();
    for (int j = 0; j < DRAWS; j++) {
      boolean writes = Words.below(Words.word(seed, 2L * j), MILLION) >= mix.readsPerMillion;
      draws[j] = (int) record.applyAsLong(Words.word(seed, 2L * j + 1)) | (writes ? WRITES : 0);
    }
    return new Accesses(draws, 0, 1, new Ledger());
  }

  @Override
  public Accesses on(int one, int of) {
    return new Accesses(draws, one, of, ledger);
  }

  @Override
  public Ledger ledger() {
    return ledger;
  }

  private int drawn(Message message, int operation) {
    long first = STRIDE * ((long) message.slot() * connections + connection);
    long number = message.first() % Replies.SLOT_IDS + operation;
    return draws[(int) ((first + number) & (DRAWS - 1))];
  }

  /** Returns the key of the record that an operation of a message accesses. */
  public long key(Message message, int operation) {
    return key(drawn(message, operation) & ~WRITES);
  }

  /** Reports whether an operation of a message writes; otherwise it reads. */
  public boolean writes(Message message, int operation) {
    return (drawn(message, operation) & WRITES) != 0;
  }

  /** Returns the key of record r. */
  static long key(long record) {
    return Words.word(0, record);
  }

  /** Returns a value that differs from like only in its key. */
  public static byte[] value(byte[] like, long key) {
    byte[] value = like.clone();
    ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).putLong(0, key);
    return value;
  }

  /** Returns what is wrong with the answer to an operation, or null. */
  String wrong(Message message, int operation, int bytes, ByteBuffer payload) {
    boolean writes = writes(message, operation);
    int due = writes ? 0 : message.responseBytes();
    if (bytes != due) {
      return "the answer to operation " + (message.first() + operation) + " has " + bytes + " bytes, expected " + due;
    }
    if (writes || payload.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong() == key(message, operation)) {
      return null;
    }
    return "operation " + (message.first() + operation) + " was answered with the value of another key";
  }

  @Override
  public Message message(Call call, int slot, long number, long firstId) {
    return new Message(firstId, call.request().length, call.responseBytes(), this, slot);
  }

  @Override
  public void count(Ledger.Entry carried, Call call, Message message, boolean answered) {
    long written = 0;
    for (int i = 0; i < call.batch(); i++) {
      written += writes(message, i) ? 1 : 0;
    }
    carried.sent(written * message.requestBytes());
    if (answered) {
      carried.received((call.batch() - written) * message.responseBytes());
    }
  }
}
