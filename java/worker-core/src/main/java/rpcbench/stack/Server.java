package rpcbench.stack;

/** Answers calls until it is stopped. */
public interface Server {
  /** Where it listens: host:port, or the path of a socket. */
  String address();

  /** Ends listening, waits at most graceNs nanoseconds for the calls in flight, then closes what is left. */
  void stop(long graceNs) throws InterruptedException;
}
