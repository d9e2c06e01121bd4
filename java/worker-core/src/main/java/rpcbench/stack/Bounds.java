package rpcbench.stack;

import java.util.Set;

/** The limits of messages, batches and bursts. Go's internal/stack has the same limits. */
public final class Bounds {
  /** The maximum payload of one message, including ids of operations. */
  public static final int MESSAGE_BYTES_MAX = 64 << 20;

  /** The maximum number of operations in a message. */
  public static final int BATCH_MAX = 100_000;

  /** The size of an operation without its payload. */
  public static final int OPERATION_ID_BYTES = 8;

  /** The maximum messages of a burst, which a server holds all at once; their bytes are at most MESSAGE_BYTES_MAX. */
  public static final int BURST_MAX = 540_000;

  private static final Set<String> WITH_BATCHES = Set.of(Kind.UNARY, Kind.PING_PONG, Kind.BURST, Kind.UPLOAD);

  private Bounds() {}

  /** Returns the size of a message with batch operations (0 for none) and payloads of bytes each. */
  public static long messageBytes(long batch, long bytes) {
    return batch == 0 ? bytes : batch * (bytes + OPERATION_ID_BYTES);
  }

  /**
   * Returns why a call of the kind can't have such a batch, in one sentence; null if it can.
   *
   * @param batch operations in one message, 0 to 2^32-1; 0 is none
   * @param bytes of the larger payload of an operation, request or reply
   */
  public static String batchRefusal(String kind, long batch, long bytes) {
    if (batch == 0) {
      return null;
    }
    if (!WITH_BATCHES.contains(kind)) {
      return kind + " has no batches; unary, ping_pong, burst and upload have";
    }
    if (batch < 0 || batch > BATCH_MAX) {
      return "batch is " + batch + ", and must be 1 to " + BATCH_MAX + ", or 0 for none";
    }
    long message = messageBytes(batch, bytes);
    return message <= MESSAGE_BYTES_MAX
        ? null
        : "a message of " + batch + " operations has " + message + " bytes, " + MESSAGE_BYTES_MAX + " at most";
  }

  /**
   * Returns why a reply can't have that many bytes, one sentence; null if it can.
   *
   * @param field of the request, which gives the length of a reply's payload
   * @param operations in the request; 0 is a message without operations
   * @param bytes the field's value
   * @param maxBytes of all payloads together, including ids
   */
  public static String replyRefusal(String field, long operations, long bytes, int maxBytes) {
    if (bytes < 0 || bytes > maxBytes) {
      return field + " is " + bytes + ", and must be 0 to " + maxBytes;
    }
    long all = messageBytes(operations, bytes);
    return all <= maxBytes
        ? null
        : "the answers to " + operations + " operations have " + all + " bytes with a " + field + " of " + bytes + ", "
            + maxBytes + " at most";
  }

  /**
   * Returns why there can't be such a burst, in one sentence; null if there can.
   *
   * @param messages at least 1
   * @param bytes of one message
   */
  public static String burstRefusal(long messages, long bytes) {
    if (messages < 1 || messages > BURST_MAX) {
      return "messages is " + messages + ", and must be 1 to " + BURST_MAX + " for a burst";
    }
    return messages * bytes <= MESSAGE_BYTES_MAX
        ? null
        : "a burst of " + messages + " messages of " + bytes + " bytes is more than a server holds, "
            + MESSAGE_BYTES_MAX + " bytes";
  }
}
