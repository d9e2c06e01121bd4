package rpcbench.stack;

import java.util.concurrent.TimeUnit;

/**
 * A server's limits for unknown clients; Go's stack.Limits has the same. What exceeds a limit is refused with the protocol's own
 * status before it takes memory. 0 is no limit except the {@link Bounds} of all messages.
 *
 * @param requestBytes of one message as encoded, and as decompressed
 * @param responseBytes of the payloads in one message
 * @param batch operations in one message
 * @param connections open at once; a further one is closed
 * @param streams open at once on one connection, if it is multiplexed
 * @param heldBytes of the answers that all bursts hold together
 * @param headerNs for a connection's handshake and first headers
 * @param idleNs without a byte in either direction
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

  /** The limits of a measurement, whose client is ours. */
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

  /** Throws RESOURCE_EXHAUSTED if a message has more operations than the server accepts. */
  public void checkOperations(long count) throws CallException {
    if (count > operations()) {
      throw tooMuch("the message has more than " + operations() + " operations");
    }
  }

  /**
   * Throws an exception if a server can't answer a request: INVALID_ARGUMENT if it exceeds what any message may have,
   * RESOURCE_EXHAUSTED if it exceeds these limits.
   *
   * @param field of the request, which gives the length of a reply's payload
   * @param count of operations in the request; 0 is a message without operations
   * @param bytes the field's value
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
