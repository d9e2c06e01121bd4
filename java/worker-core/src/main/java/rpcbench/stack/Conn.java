package rpcbench.stack;

/** One connection, or, where the protocol does not multiplex, the sockets of {@link DialConfig#inFlight} slots. */
public interface Conn extends AutoCloseable {
  /**
   * Makes the Caller of one slot, 0 ≤ slot &lt; inFlight. Slots are asked for in order, from 0, and all of one call
   * before the next call's; several calls may be asked for on one connection. A Caller lives as long as the connection.
   */
  Caller caller(Call call, int slot) throws CallException;

  /**
   * Has it connected where {@link Stack#dial} leaves that to the first call, if it can. It is called once, after dial, and
   * not for {@link Kind#FIRST_CALL}. An interrupt of the thread ends it; then it throws. A server that can't be reached is left
   * to the calls.
   */
  default void ready() throws CallException {}

  /** Closes the connection; running calls fail. */
  @Override
  void close();
}
