package rpcbench.stack;

import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A server's records, which operations read and replace, ordered by key. No key is ever added, so a store takes no more memory
 * than at the start, plus garbage. Safe for concurrent use: values are replaced as a whole.
 */
public final class Store {
  /** The approximate overhead of a record besides its value. */
  private static final long RECORD_BYTES = 120;

  private final TreeMap<Long, AtomicReference<byte[]>> records = new TreeMap<>(Long::compareUnsigned);
  private final int valueBytes;

  /** Creates that many records, whose values equal like except for the key at their beginning. */
  public Store(long count, byte[] like) {
    this.valueBytes = like.length;
    for (long r = 0; r < count; r++) {
      long key = Accesses.key(r);
      records.put(key, new AtomicReference<>(Accesses.value(like, key)));
    }
  }

  /** Returns the approximate memory of a store. */
  public static long memoryBytes(long count, long valueBytes) {
    return count * (valueBytes + RECORD_BYTES);
  }

  /** Returns the value of a key, which is shared: never write to it. Throws NOT_FOUND if the store has no such key. */
  public byte[] get(long key) throws CallException {
    return record(key).get();
  }

  /** Replaces the value of a key. Throws INVALID_ARGUMENT if it has another length, NOT_FOUND if there is no such key. */
  public void put(long key, byte[] value) throws CallException {
    if (value.length != valueBytes) {
      throw new CallException(
          Code.INVALID_ARGUMENT, "a value of " + value.length + " bytes; those of this store have " + valueBytes);
    }
    record(key).set(value);
  }

  private AtomicReference<byte[]> record(long key) throws CallException {
    AtomicReference<byte[]> record = records.get(key);
    if (record == null) {
      throw new CallException(Code.NOT_FOUND, "the store has no key " + Long.toUnsignedString(key));
    }
    return record;
  }
}
