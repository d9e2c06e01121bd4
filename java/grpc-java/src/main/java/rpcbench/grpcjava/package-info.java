/**
 * gRPC by grpc-java, on Netty and on OkHttp, as programs use it: the transports of {@link rpcbench.grpc}. A connection is one
 * ManagedChannel with one socket.
 *
 * <p>Features that would distort a measurement are off: service config look-ups, proxies, idle timeouts, retries (unless the
 * option retry is given), resumed TLS sessions. A lost connection is reopened as soon as a call needs it.
 */
package rpcbench.grpcjava;
