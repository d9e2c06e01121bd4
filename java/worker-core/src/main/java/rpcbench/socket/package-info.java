/** The JDK's sockets, counted: for libraries that take a socket factory. */
package rpcbench.socket;
