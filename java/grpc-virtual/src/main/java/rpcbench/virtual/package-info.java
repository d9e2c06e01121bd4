/** gRPC as programs with virtual threads use it: blocking stubs, and services that run on a virtual thread for each call. */
package rpcbench.virtual;
