/**
 * gRPC by grpc-java, over Netty and over OkHttp, as a program would use them: the transports of {@link rpcbench.grpc}. A
 * connection is one ManagedChannel with one socket.
 *
 * <p>It takes no part in what would blur a measurement: no service config look-ups, no proxies, no idle timeout, no
 * retries, no resumed TLS sessions. A lost connection is opened again as soon as a call misses it.
 */
package rpcbench.grpcjava;
