/** JSON as on Android phones: Android's implementation of org.json, on a JVM, with a classpath of its own. */
package rpcbench.codec.android;
