package rpcbench.stack;

import java.util.List;

/**
 * A method of a foreign service, and the content of its calls. Messages are already encoded, and no adapter inspects them or the
 * replies. An adapter reads each call's status, and counts messages and their bytes in the ledger. Of a method's kinds,
 *
 * <ul>
 *   <li>unary sends one message and expects one reply;
 *   <li>upload sends the messages of a request and expects one reply;
 *   <li>download sends one message and receives replies until the server has sent all. With {@link Call#messages} it receives at
 *       most that many: when one more arrives, the stream is reset, and the call is good;
 *   <li>stream sends the messages of a request while replies arrive, half-closes, and receives replies until the server has sent
 *       all, however many they are;
 *   <li>ping_pong sends one message on a stream that stays open, and expects one reply.
 * </ul>
 *
 * <p>In upload and stream, {@link Call#messages} is the number of messages that a call sends; 0 means as many as its request has.
 *
 * @param name package.Service/Method
 * @param metadata without the protocol's own
 * @param authority of every call; empty is the connection's
 * @param replyBytesMax of one reply
 * @param clock times the messages within calls
 */
public record Method(
    String name,
    Requests requests,
    List<Metadatum> metadata,
    String authority,
    int replyBytesMax,
    Ledger ledger,
    MessageClock clock) {

  /** The messages of calls, encoded by protobuf. A call's content depends only on its number. Safe for concurrent use. */
  public interface Requests {
    /** Returns the number of messages of a call's request: at least 1, except for a client's stream. */
    int messages(long call);

    /**
     * Returns message i of a call; never write to it. After the last message the request begins again. Throws INVALID_ARGUMENT
     * if the message can't be made.
     */
    byte[] message(long call, int i) throws CallException;
  }

  /** An entry of metadata, which may differ from call to call. Safe for concurrent use. */
  public interface Metadatum {
    /** Returns the name, in lower case. */
    String name();

    /** Returns a call's value: bytes if the name ends in -bin, otherwise ASCII. */
    byte[] value(long call) throws CallException;
  }
}
