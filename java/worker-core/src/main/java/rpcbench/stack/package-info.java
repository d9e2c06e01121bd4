/**
 * The contract between a worker and an RPC implementation in Java.
 *
 * <p>A {@link rpcbench.stack.Stack} serves, opens connections, and makes {@link rpcbench.stack.Caller}s on them, one per
 * slot. Calls are asynchronous, so that thousands of slots need no thread each; a library that blocks brings its own
 * threads. An adapter knows nothing of loads, clocks or histograms, and the load knows nothing of an adapter but Caller.
 */
package rpcbench.stack;
