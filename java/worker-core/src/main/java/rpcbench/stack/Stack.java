package rpcbench.stack;

/**
 * One RPC implementation. Its methods may be called concurrently. It is never asked for anything that {@link #info} does not
 * name, nor for a call that violates {@link Bounds}, because the worker checks that. A stack thus only has to check its options'
 * values and addresses.
 */
public interface Stack {
  Info info();

  /** Binds {@link ServeConfig#address} and serves there; asked of a stack that {@link Info#serves}. */
  default Server serve(ServeConfig config) throws Exception {
    throw new UnsupportedOperationException(info().name() + " has no server");
  }

  /**
   * Opens a connection, for a stack that {@link Info#calls}. If {@link Info#kinds} has {@link Kind#CONNECT}, it returns when the
   * connection is ready for a call. Otherwise it may return before anything is sent, and the first call connects. An interrupt of
   * the thread ends it: it closes what it has opened, and throws. A codec opens nothing: its network and address are empty.
   */
  default Conn dial(DialConfig config) throws CallException {
    throw new UnsupportedOperationException(info().name() + " has no client");
  }
}
