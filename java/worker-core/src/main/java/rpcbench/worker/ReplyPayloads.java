package rpcbench.worker;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import rpcbench.payload.Payload;

/**
 * Payloads of replies by their length, kept because making one takes longer than sending it. Clients choose the lengths, so
 * that few are kept: when there are too many, or too long ones, all are dropped.
 */
final class ReplyPayloads implements IntFunction<byte[]> {
  static final int LENGTHS_MAX = 16;
  static final long BYTES_MAX = 64 << 20;

  private final String kind;
  private final long seed;
  private final ConcurrentHashMap<Integer, byte[]> kept = new ConcurrentHashMap<>();
  private long bytes; // of those kept

  ReplyPayloads(String kind, long seed) {
    this.kind = kind;
    this.seed = seed;
  }

  @Override
  public byte[] apply(int length) {
    byte[] made = kept.get(length);
    return made != null ? made : make(length);
  }

  private synchronized byte[] make(int length) {
    if (kept.containsKey(length)) {
      return kept.get(length); // another thread made it
    }
    if (kept.size() == LENGTHS_MAX || bytes + length > BYTES_MAX) {
      kept.clear();
      bytes = 0;
    }
    byte[] made = Payload.of(kind, seed, length);
    kept.put(length, made);
    bytes += length;
    return made;
  }

  /** How many bytes are kept. */
  synchronized long keptBytes() {
    return bytes;
  }
}
