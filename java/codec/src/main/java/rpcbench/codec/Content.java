package rpcbench.codec;

import com.google.protobuf.Message;

/**
 * One message's contents in the two forms that programs have it in.
 *
 * @param plain one of {@link Plain}'s records, for JSON
 * @param generated one of protobuf's classes
 */
record Content(Record plain, Message generated) {}
