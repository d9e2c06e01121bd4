package rpcbench.stack;

import java.nio.ByteBuffer;

/**
 * The measured operation, a parameter of {@link Conn#caller}.
 *
 * @param request the payload of every message sent, or of every operation; shared: never write to it
 * @param responseBytes the payload length of every message received, or of every answer
 * @param messages of a stream, burst, upload or download, and of both_ways in each direction; 0 for other kinds
 * @param streams the number of streams of ping_pong and burst that the connection's slots share, 1 ≤ streams ≤ inFlight; slot
 *     i is on stream i modulo streams, and echoes come back in the order of sending
 * @param perStream the number of calls of ping_pong after which a stream ends, and the next call opens another; 0 is never.
 *     If positive, every slot has its own stream
 * @param batch operations in one message of BatchService; 0 is BenchmarkService, whose messages have none
 * @param check reports whether a reply's payload, or an answer's, is right; null accepts any bytes
 * @param codec of encode and decode; null for other kinds
 * @param method a foreign method that is called instead of our service's; null for our service. Its calls use only kind,
 *     messages (0 if the request or the server determines it) and, for ping_pong, streams
 * @param deadlineNs the time limit of each call, which the worker enforces; a stack sends it if its option says so; 0 is none
 * @param drawn what differs at random between messages, of which request and responseBytes are the longest; null if all are
 *     alike
 */
public record Call(
    String kind,
    byte[] request,
    int responseBytes,
    int messages,
    int streams,
    int perStream,
    int batch,
    Check check,
    Codec codec,
    Method method,
    long deadlineNs,
    Drawn drawn) {

  /** Returns a call over a connection, without batches. */
  public Call(String kind, byte[] request, int responseBytes, int messages, int streams, Check check) {
    this(kind, request, responseBytes, messages, streams, 0, 0, check, null, null, 0, null);
  }

  /** Returns a call that only encodes or decodes a message. */
  public Call(String kind, Codec codec) {
    this(kind, new byte[0], 0, 0, 0, 0, 0, null, codec, null, 0, null);
  }

  /** A call of a foreign method. */
  public Call(String kind, Method method, int messages, int streams) {
    this(kind, new byte[0], 0, messages, streams, 0, 0, null, null, method, 0, null);
  }

  /** Returns the same call with that number of operations in each message, 0 for none. */
  public Call withBatch(int operations) {
    return new Call(kind, request, responseBytes, messages, streams, perStream, operations, check, codec, method, deadlineNs, drawn);
  }

  /** Returns the same call with a deadline, 0 for none. */
  public Call withDeadline(long ns) {
    return new Call(kind, request, responseBytes, messages, streams, perStream, batch, check, codec, method, ns, drawn);
  }

  /** Returns the same call with streams that end after that many calls, 0 for never. */
  public Call withPerStream(int calls) {
    return new Call(kind, request, responseBytes, messages, streams, calls, batch, check, codec, method, deadlineNs, drawn);
  }

  /** Returns the same call with messages drawn at random, null for none. */
  public Call withDrawn(Drawn by) {
    return new Call(
        kind, request, responseBytes, messages, streams, perStream, batch, check, codec, method, deadlineNs, by);
  }

  /** Returns the call for one of the connections. */
  public Call on(int connection, int connections) {
    return drawn == null ? this : withDrawn(drawn.on(connection, connections));
  }

  /** Returns the counters of calls that differ in what they carry; null if they are all alike. */
  public Ledger ledger() {
    if (drawn != null) {
      return drawn.ledger();
    }
    return method == null ? null : method.ledger();
  }

  /** Returns the number of messages that one call sends. */
  public int messagesOut() {
    return switch (kind) {
      case Kind.CONNECT, Kind.ENCODE, Kind.DECODE -> 0;
      case Kind.STREAM, Kind.BURST, Kind.UPLOAD, Kind.BOTH_WAYS -> messages;
      default -> 1;
    };
  }

  /** Returns the number of messages that one call receives. */
  public int messagesIn() {
    return switch (kind) {
      case Kind.CONNECT, Kind.ENCODE, Kind.DECODE -> 0;
      case Kind.STREAM, Kind.BURST, Kind.DOWNLOAD, Kind.BOTH_WAYS -> messages;
      default -> 1;
    };
  }

  /** Returns the number of payloads in one message, in each direction. */
  public int payloads() {
    return Math.max(1, batch);
  }

  /** Returns the size of one reply, including ids of operations. Encodings add to it. */
  public long replyBytes() {
    return Bounds.messageBytes(batch, responseBytes);
  }

  /** Checks the payload of a reply. */
  @FunctionalInterface
  public interface Check {
    /** Returns null if the payload is right, otherwise a sentence that says what is wrong. It does not change payload. */
    String wrong(ByteBuffer payload);
  }

  /**
   * The subject of encode and decode, for which request is empty and check null. Their {@link Caller} is {@link Calibrated}.
   *
   * @param message one of {@link Info#messages}, generated from seed
   * @param codec one of {@link Info#codecs}
   * @param seed of the message's content; all 64 bits count, unsigned
   * @param sampleNs the intended time for all operations of one call; at least 1
   */
  public record Codec(String message, String codec, long seed, long sampleNs) {}
}
