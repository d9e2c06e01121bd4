package rpcbench.stack;

/**
 * The properties in which one request of our services may differ from others of the same call.
 *
 * @param first the id of its first operation, from which they count up; unused without a batch
 * @param requestBytes the length of its part of the call's payload
 * @param responseBytes the length of the payload of its reply, or of every answer
 * @param accesses its operations on a store; null if they are echoed
 * @param slot the slot that sends it
 */
public record Message(long first, int requestBytes, int responseBytes, Accesses accesses, int slot) {}
