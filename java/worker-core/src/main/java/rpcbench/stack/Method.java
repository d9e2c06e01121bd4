package rpcbench.stack;

import java.util.List;

/**
 * A method of a foreign service, and what its calls send. Messages come encoded, and no adapter looks into them or into
 * replies; it reads each call's status, and counts messages and their bytes in the ledger. Of a method's kinds,
 *
 * <ul>
 *   <li>unary sends one message and wants one reply;
 *   <li>upload sends the messages of a request and wants one reply;
 *   <li>download sends one message and takes replies until the server has sent all. With {@link Call#messages} it takes so many
 *       at the most: when one more comes, the stream is reset and the call was good;
 *   <li>stream sends the messages of a request while replies come, half-closes, and takes replies until the server has sent
 *       all, however many they are;
 *   <li>ping_pong sends one message on a stream that stays open, and wants one reply.
 * </ul>
 *
 * Of upload and stream, {@link Call#messages} says how many messages a call sends, and 0 as many as its request has.
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

  /** The messages of calls, as protobuf encodes them. What a call sends depends on its number alone. Safe for concurrent use. */
  public interface Requests {
    /** How many messages a call's request has: at least 1, but for a client's stream. */
    int messages(long call);

    /**
     * Returns message i of a call, which nobody writes to; behind the last its request begins again. What does not fit is
     * INVALID_ARGUMENT.
     */
    byte[] message(long call, int i) throws CallException;
  }

  /** An entry of metadata, which may differ from call to call. Safe for concurrent use. */
  public interface Metadatum {
    /** In lower case. */
    String name();

    /** A call's value; of a name that ends in -bin the bytes themselves, else ASCII. */
    byte[] value(long call) throws CallException;
  }
}
