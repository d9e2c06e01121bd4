/**
 * What every stack of gRPC in Java shares: the calls of grpc.testing.BenchmarkService and rpcbench.batch.v1.BatchService on a
 * channel, and both services for a server. A stack makes the channel or the server by its own transport; see {@link
 * rpcbench.grpc.GrpcConn} and {@link rpcbench.grpc.GrpcServer}.
 */
package rpcbench.grpc;
