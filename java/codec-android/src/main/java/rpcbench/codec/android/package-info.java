/** The JSON of Android phones, org.json as Android has it, on a JVM. It has a classpath of its own for that. */
package rpcbench.codec.android;
