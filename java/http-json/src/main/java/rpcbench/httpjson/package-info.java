/**
 * JSON over HTTP/1.1 with keep-alive, as Java programs use it: two clients, OkHttp and HttpURLConnection, and one server, Jetty.
 * A connection is a pool of one socket per slot. There are no streams, and no sign that a connection is ready for calls.
 */
package rpcbench.httpjson;
