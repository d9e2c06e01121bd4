/**
 * gRPC by grpc-java, over Netty and over OkHttp, as a program would use them: the transports of {@link rpcbench.grpc}. A
 * connection is one ManagedChannel with one socket.
 *
 * <p>What would blur a measurement is off: service config look-ups, proxies, idle timeouts, retries (but for the option
 * retry), resumed TLS sessions. A lost connection is opened again as soon as a call needs it.
 */
package rpcbench.grpcjava;
