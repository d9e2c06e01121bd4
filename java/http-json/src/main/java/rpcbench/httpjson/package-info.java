/**
 * JSON over HTTP/1.1 with keep-alive, as Java programs do it: an object is encoded by Jackson, posted, answered and
 * decoded, on both sides inside the call. The JSON is that of grpc.testing.SimpleRequest and SimpleResponse, payloads
 * in base64, posted to /grpc.testing.BenchmarkService/UnaryCall. Batches are those of BatchService, an array of
 * operations posted to /rpcbench.batch.v1.BatchService/Unary.
 *
 * <p>Two clients, OkHttp and HttpURLConnection, and one server, Jetty. A connection is a pool of as many sockets as it
 * has slots. There are no streams, and nothing that says when a connection is ready for calls. Compression is gzip by
 * Content-Encoding, both ways.
 *
 * <p>Jackson, because it is what most Java services bind JSON with (it is Spring's), knows byte arrays as
 * base64, and is released every few months; Gson is in maintenance and knows no base64.
 */
package rpcbench.httpjson;
