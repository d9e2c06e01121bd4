package rpcbench.stack;

/** One connection, or the sockets of {@link DialConfig#inFlight} slots if the protocol does not multiplex. */
public interface Conn extends AutoCloseable {
  /**
   * Creates the Caller of one slot, 0 ≤ slot &lt; inFlight. Slots are created in order, from 0, and all of one call before the
   * next call's; several calls may be created on one connection. A Caller lives as long as the connection.
   */
  Caller caller(Call call, int slot) throws CallException;

  /**
   * Connects, if {@link Stack#dial} leaves that to the first call, and if possible. It is called once, after dial, and not for
   * {@link Kind#FIRST_CALL}. An interrupt of the thread ends it; then it throws. It does not report a server that can't be
   * reached: calls do.
   */
  default void ready() throws CallException {}

  /** Closes the connection; running calls fail. */
  @Override
  void close();
}
