/**
 * What lies under an RPC in grpc-java, timed by JMH: the parts of one call by themselves (metadata, status, messages,
 * options, context, …), one call over each transport, and loops that keep many calls or messages in flight.
 *
 * <p>Both ends are in one process, on loopback or in memory, so a figure here is not a stack's figure: it is for
 * telling one version of grpc-java, or one transport, from another. What a client and a server do to each other is
 * measured by workers, in processes of their own.
 *
 * <p>Some parts are reached through classes that grpc-java calls internal, as nothing public leads there: in
 * {@code io.grpc} those whose names begin with {@code Internal}, and in {@code io.grpc.internal} {@code GrpcUtil},
 * {@code TransportFrameUtil}, {@code SerializingExecutor} and {@code StatsTraceContext}. Another version may not have
 * them.
 */
package rpcbench.microbench;
