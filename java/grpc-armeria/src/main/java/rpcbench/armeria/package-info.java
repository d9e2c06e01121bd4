/**
 * gRPC by Armeria, client and server: an example of a stack on {@link rpcbench.grpc} with another library than grpc-java's
 * transports.
 */
package rpcbench.armeria;
