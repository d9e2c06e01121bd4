/**
 * Protobuf as phones have it: protoc's lite classes, whose fields a table in each class describes, instead of descriptors
 * and reflection.
 *
 * <p>They run on the lite half of protobuf-java, which the worker has on its classpath for worker.v1. It has the classes of
 * protobuf-javalite, to the byte; a test compares them.
 */
package rpcbench.codec.lite;
