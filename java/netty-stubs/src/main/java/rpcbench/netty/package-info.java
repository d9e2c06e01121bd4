/**
 * Handlers for all stacks on Netty, which count sockets and close a server's idle ones.
 */
package rpcbench.netty;
