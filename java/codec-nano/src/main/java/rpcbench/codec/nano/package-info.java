/**
 * Protobuf as Android programs had it from 2013 on: nano, whose messages are public fields and arrays. The last release of its
 * runtime and compiler is from 2016.
 */
package rpcbench.codec.nano;
