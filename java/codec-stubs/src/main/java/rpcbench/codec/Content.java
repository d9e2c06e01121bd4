package rpcbench.codec;

/**
 * What a message says. JSON encodes it as it is; a codec with classes of its own makes their message of it.
 *
 * @param plain one of {@link Plain}'s records
 */
public record Content(Record plain) {}
