package rpcbench.record;

import rpcbench.stack.Code;

/**
 * Counts the calls of one code.
 *
 * @param example the first failure, "UNAVAILABLE: the connection was refused"; empty if code is OK
 */
public record Outcome(Code code, long calls, String example) {}
