package rpcbench.stack;

/**
 * One RPC implementation. Its methods may be called concurrently. It is asked for nothing that {@link #info} does not name,
 * and for no call that breaks {@link Bounds}: the worker has checked that, so that a stack reads only its options' values
 * and addresses.
 */
public interface Stack {
  Info info();

  /** Binds {@link ServeConfig#address} and serves there; asked of a stack that {@link Info#serves}. */
  default Server serve(ServeConfig config) throws Exception {
    throw new UnsupportedOperationException(info().name() + " has no server");
  }

  /**
   * Opens a connection; asked of a stack that {@link Info#calls}. Where {@link Info#kinds} has {@link Kind#CONNECT} it returns when the connection is ready for a
   * call; elsewhere it may return before anything is sent, and the first call connects. An interrupt of the thread ends
   * it: then it closes what it has opened, and throws. A codec has nothing to open: its network and address are empty.
   */
  default Conn dial(DialConfig config) throws CallException {
    throw new UnsupportedOperationException(info().name() + " has no client");
  }
}
