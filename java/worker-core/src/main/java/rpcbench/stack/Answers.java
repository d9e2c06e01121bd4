package rpcbench.stack;

/**
 * Reads the messages A that a library makes of replies. One of BatchService holds an answer for every operation, in the
 * order in which they came; one of BenchmarkService is itself the only answer, and has no id.
 */
public interface Answers<A> {
  /** How many answers a message holds. */
  int count(A message);

  /** The id of answer i, 0 ≤ i &lt; count; all 64 bits count. */
  long id(A message, int i);

  /** How long the payload of answer i is. */
  int length(A message, int i);

  /** The payload of answer i, for reading only. */
  byte[] payload(A message, int i);
}
