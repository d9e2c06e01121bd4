/**
 * JMH benchmarks of the parts of an RPC in grpc-java: the parts of one call (metadata, status, messages, options, context, …),
 * one call over each transport, and loops that keep many calls or messages in flight.
 *
 * <p>Both ends are in one process, on loopback or in memory, so a figure here is not a stack's figure: it compares versions of
 * grpc-java, or transports. Workers, in processes of their own, measure what a client and a server do to each other.
 *
 * <p>Some parts have no public API and are reached through grpc-java's internal classes: those in {@code io.grpc} whose names
 * begin with {@code Internal}, and {@code GrpcUtil}, {@code TransportFrameUtil}, {@code SerializingExecutor} and
 * {@code StatsTraceContext} in {@code io.grpc.internal}. Other versions may not have them.
 */
package rpcbench.microbench;
