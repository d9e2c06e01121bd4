package rpcbench.stack;

/**
 * What one request of our services has that others of the same call need not have.
 *
 * @param first the id of its first operation, from which they count up; without a batch it has none
 * @param requestBytes how much of the call's payload it has
 * @param responseBytes how long the payload of its reply is, or of every answer
 * @param accesses what its operations do with a store; null where they are echoed
 * @param slot whose it is
 */
public record Message(long first, int requestBytes, int responseBytes, Accesses accesses, int slot) {}
