/**
 * Handlers for all stacks on Netty, which count sockets and close a server's idle ones. They use interfaces that Netty 4.1 and
 * 4.2 have in common; each stack chooses its version.
 */
package rpcbench.netty;
