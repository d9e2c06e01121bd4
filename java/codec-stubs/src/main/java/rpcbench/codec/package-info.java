/**
 * What stacks of kinds encode and decode share: they measure what it costs to turn a message into bytes and back.
 *
 * <p>There is no server and nothing to dial: a call is a calibrated number of operations on one message, made from a
 * seed, the same in every language. Encode goes from a message object to new bytes, decode from bytes to a new message
 * object with every field set: a generated class for protobuf, a record for JSON, as programs have them. Before
 * anything is measured a round trip must lose nothing.
 *
 * <p>What works on org.json is compiled once and runs on either of its two implementations, the one of json.org and
 * Android's, which have the same classes: it may use only what both have. Never both are on one classpath.
 */
package rpcbench.codec;
