package rpcbench.stack;

import java.util.concurrent.TimeUnit;

/**
 * What a server bounds for clients that nobody knows; Go's stack.Limits has the same. What exceeds a limit is refused with
 * the protocol's own status before it takes memory. 0 sets no limit but the {@link Bounds} of all messages.
 *
 * @param requestBytes of one message as it is encoded, and decompressed
 * @param responseBytes of the payloads in one message
 * @param batch operations in one message
 * @param connections open at once; a further one is closed
 * @param streams open at once on one connection, where it is multiplexed
 * @param heldBytes of the answers that all bursts hold together
 * @param headerNs for a connection's handshake and first headers
 * @param idleNs without a byte either way
 */
public record ServerLimits(
    int requestBytes,
    int responseBytes,
    int batch,
    int connections,
    int streams,
    long heldBytes,
    long headerNs,
    long idleNs) {

  /** Those of a measurement, whose client is ours. */
  public static final ServerLimits NONE = new ServerLimits(0, 0, 0, 0, 0, 0, 0, 0);

  /** The most that the headers of one request may have. */
  public static final int HEADER_BYTES_MAX = 64 << 10;

  /** Returns the maximum bytes that a server reads of one message, whose encoding never exceeds maxBytes. */
  public int request(int maxBytes) {
    return requestBytes == 0 ? maxBytes : Math.min(requestBytes, maxBytes);
  }

  /** The most operations that a server reads of one message. */
  public int operations() {
    return batch == 0 ? Bounds.BATCH_MAX : batch;
  }

  public long idleMs() {
    return TimeUnit.NANOSECONDS.toMillis(idleNs);
  }

  /** Throws RESOURCE_EXHAUSTED where a message has more operations than a server reads. */
  public void checkOperations(long count) throws CallException {
    if (count > operations()) {
      throw tooMuch("the message has more than " + operations() + " operations");
    }
  }

  /**
   * Throws why a server can't answer a request: INVALID_ARGUMENT for more than any message may have, RESOURCE_EXHAUSTED for
   * more than these limits.
   *
   * @param field of the request, which says how long a reply's payload is to be
   * @param count of operations in the request; 0 is a message without
   * @param bytes that the field says
   */
  public void checkResponse(String field, long count, long bytes) throws CallException {
    checkOperations(count);
    String refusal = Bounds.replyRefusal(field, count, bytes, Bounds.MESSAGE_BYTES_MAX);
    if (refusal != null) {
      throw CallException.invalid(refusal);
    }
    refusal = responseBytes == 0 ? null : Bounds.replyRefusal(field, count, bytes, responseBytes);
    if (refusal != null) {
      throw tooMuch(refusal);
    }
  }

  private static CallException tooMuch(String why) {
    return new CallException(Code.RESOURCE_EXHAUSTED, why);
  }
}
