/**
 * Handlers that every stack on Netty needs: its sockets are counted, and a server's idle ones closed. They are made for the
 * interfaces that Netty 4.1 and 4.2 have in common, and a stack brings its own.
 */
package rpcbench.netty;
