/**
 * Protobuf as used on phones: protoc's lite classes, whose fields are described by a table in each class instead of descriptors
 * and reflection.
 *
 * <p>They run on the lite half of protobuf-java, which is on the worker's classpath for worker.v1. Its classes equal those of
 * protobuf-javalite, byte for byte, as a test shows.
 */
package rpcbench.codec.lite;
