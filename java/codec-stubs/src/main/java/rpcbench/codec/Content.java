package rpcbench.codec;

/**
 * The content of a message. JSON encodes it directly; a codec with its own classes converts it to them.
 *
 * @param plain one of {@link Plain}'s records
 */
public record Content(Record plain) {}
