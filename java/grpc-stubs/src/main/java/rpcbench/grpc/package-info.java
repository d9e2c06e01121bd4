/**
 * The parts that all gRPC stacks in Java share: calls of grpc.testing.BenchmarkService and rpcbench.batch.v1.BatchService on a
 * channel, and both services for a server. A stack creates the channel or the server for its transport; see
 * {@link rpcbench.grpc.GrpcConn} and {@link rpcbench.grpc.GrpcServer}.
 */
package rpcbench.grpc;
