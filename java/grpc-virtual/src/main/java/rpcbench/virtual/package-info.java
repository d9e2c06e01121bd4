/** gRPC as programs with virtual threads use it: blocking stubs, and services on one virtual thread per call. */
package rpcbench.virtual;
