package rpcbench.stack;

/**
 * The measured operation, as {@link Conn#caller} is told of it.
 *
 * @param request the payload of every message sent; shared: never write to it
 * @param responseBytes the payload length of every message received
 * @param messages of a stream, upload or download; 0 elsewhere
 * @param streams of ping_pong: how many streams the connection's slots share, 1 ≤ streams ≤ inFlight; slot i is on
 *     stream i modulo streams, and echoes come back in the order of sending
 * @param check tells whether a reply's payload is right
 * @param codec of encode and decode; null elsewhere
 */
public record Call(
    String kind, byte[] request, int responseBytes, int messages, int streams, Check check, Codec codec) {

  /** A call that crosses a connection. */
  public Call(String kind, byte[] request, int responseBytes, int messages, int streams, Check check) {
    this(kind, request, responseBytes, messages, streams, check, null);
  }

  /** Judges the payload of a reply. */
  @FunctionalInterface
  public interface Check {
    /** Returns null where the payload is right, else one sentence that says what is wrong. */
    String wrong(byte[] payload);
  }

  /**
   * What encode and decode work on, where request is empty and check null. Their {@link Caller} is {@link Calibrated}.
   *
   * @param message one of {@link Info#messages}, made of seed
   * @param codec one of {@link Info#codecs}
   * @param seed of the message's content; all 64 bits count, without a sign
   * @param sampleNs how long the operations of one call should take together; at least 1
   */
  public record Codec(String message, String codec, long seed, long sampleNs) {}
}
