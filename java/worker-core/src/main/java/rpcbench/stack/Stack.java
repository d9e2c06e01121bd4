package rpcbench.stack;

/** One RPC implementation. Its methods may be called concurrently. */
public interface Stack {
  Info info();

  /** Binds {@link ServeConfig#address} and serves there. */
  Server serve(ServeConfig config) throws Exception;

  /**
   * Opens a connection. Where {@link Info#kinds} has {@link Kind#CONNECT} it returns when the connection is ready for a
   * call; elsewhere it may return before anything is sent, and the first call connects. An interrupt of the thread ends
   * it: then it closes what it has opened, and throws. A codec has nothing to open: its network and address are empty.
   */
  Conn dial(DialConfig config) throws CallException;
}
