package rpcbench.record;

/**
 * Calls that are done.
 *
 * @param errors unsent and unfinished ones too
 */
public record Counts(long ok, long errors) {}
