package rpcbench.stack;

/** Answers calls until it is stopped. */
public interface Server {
  /** Returns the listening address: host:port, or the path of a socket. */
  String address();

  /** Stops listening, waits at most graceNs nanoseconds for calls in flight, then closes everything. */
  void stop(long graceNs) throws InterruptedException;
}
