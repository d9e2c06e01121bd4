/**
 * The worker's side of worker.v1 for the stacks of one JVM: Commands in, Events out.
 *
 * <p>One worker is a server or a client, for one trial, in its own process. It hosts adapters, runs the load over their Callers
 * and reports what was recorded. What it can't do exactly as requested it answers with a Fault that names the field; it ignores
 * nothing. It corresponds to Go's internal/worker.
 */
package rpcbench.worker;
