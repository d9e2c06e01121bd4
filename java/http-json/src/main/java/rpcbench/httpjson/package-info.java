/**
 * JSON over HTTP/1.1 with keep-alive, as Java programs do it: two clients, OkHttp and HttpURLConnection, and one server,
 * Jetty. A connection is a pool of as many sockets as it has slots. There are no streams, and nothing that says when a
 * connection is ready for calls.
 */
package rpcbench.httpjson;
