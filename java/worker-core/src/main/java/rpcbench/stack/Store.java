package rpcbench.stack;

import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The records of a server that operations read and replace, in the order of their keys. No key is ever added, so that a store
 * takes no more memory than when it was made, and garbage. Safe for concurrent use: values are replaced as a whole.
 */
public final class Store {
  /** What a record takes beside its value, about. */
  private static final long RECORD_BYTES = 120;

  private final TreeMap<Long, AtomicReference<byte[]>> records = new TreeMap<>(Long::compareUnsigned);
  private final int valueBytes;

  /** Makes so many records, each with a value of like behind its key. */
  public Store(long count, byte[] like) {
    this.valueBytes = like.length;
    for (long r = 0; r < count; r++) {
      long key = Accesses.key(r);
      records.put(key, new AtomicReference<>(Accesses.value(like, key)));
    }
  }

  /** What a store takes, about. */
  public static long memoryBytes(long count, long valueBytes) {
    return count * (valueBytes + RECORD_BYTES);
  }

  /** Returns the value of a key, which is shared: never write to it. NOT_FOUND where the store has no such key. */
  public byte[] get(long key) throws CallException {
    return record(key).get();
  }

  /** Replaces the value of a key. INVALID_ARGUMENT where it is of another length, NOT_FOUND where there is no such key. */
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
