/**
 * What every stack of JSON over HTTP/1.1 in Java shares. An object is encoded by Jackson, posted, answered and decoded, on
 * both sides inside the call. The JSON is that of grpc.testing.SimpleRequest and SimpleResponse, payloads in base64, posted
 * to /grpc.testing.BenchmarkService/UnaryCall. Batches are those of BatchService, an array of operations posted to
 * /rpcbench.batch.v1.BatchService/Unary. Compression is gzip by Content-Encoding, both ways.
 *
 * <p>Jackson, because it is what most Java services bind JSON with (it is Spring's), knows byte arrays as base64, and is
 * released every few months; Gson is in maintenance and knows no base64.
 */
package rpcbench.http;
