/**
 * The parts that all stacks of JSON over HTTP/1.1 in Java share. An object is encoded by Jackson, posted, answered and decoded,
 * on both sides as part of the call. The JSON is that of grpc.testing.SimpleRequest and SimpleResponse, with payloads in base64,
 * posted to /grpc.testing.BenchmarkService/UnaryCall. Batches are those of BatchService, an array of operations posted to
 * /rpcbench.batch.v1.BatchService/Unary. Compression is gzip by Content-Encoding, in both directions.
 *
 * <p>Jackson is what most Java services use for JSON (it is Spring's default), encodes byte arrays in base64, and is released
 * every few months. Gson is in maintenance and does not support base64.
 */
package rpcbench.http;
