/**
 * gRPC by Armeria, client and server: an example of a stack on {@link rpcbench.grpc} whose library is another than grpc-java's
 * own transports.
 */
package rpcbench.armeria;
