/**
 * The parts that stacks with the kinds encode and decode share. They measure the cost of turning a message into bytes and back.
 *
 * <p>There is no server and no connection. A call is a calibrated number of operations on one message, which is generated from a
 * seed and the same in every language. Encode goes from a message object to new bytes; decode goes from bytes to a new message
 * object with every field set. As in programs, the object is a generated class for protobuf and a record for JSON. Before the
 * measurement, a round trip must lose nothing.
 *
 * <p>Code on org.json is compiled once and runs on either of its two implementations, json.org's and Android's, which have the
 * same classes. It may use only what both have. A classpath never has both.
 */
package rpcbench.codec;
