/**
 * Protobuf as Android programs had it from 2013 on: nano, whose messages are public fields and arrays. Its last release, of
 * runtime and compiler, is of 2016.
 */
package rpcbench.codec.nano;
