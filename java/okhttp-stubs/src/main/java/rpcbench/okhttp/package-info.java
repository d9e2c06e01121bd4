/** The parts that clients on gRPC's OkHttp transport share, on a JVM and on Android. */
package rpcbench.okhttp;
