/** What clients on gRPC's OkHttp transport share, those on a JVM and those on Android. */
package rpcbench.okhttp;
