package rpcbench.codec;

import com.google.protobuf.Message;

/**
 * One message's contents in the two forms that programs have it in.
 *
 * @param plain one of {@link Plain}'s records, for JSON
 * @param generated one of protobuf's classes
 */
record Content(Record plain, Message generated) {
  static Content of(Plain.SmallRequest m) {
    return new Content(m, Generated.of(m));
  }

  static Content of(Plain.AddressBook m) {
    return new Content(m, Generated.of(m));
  }

  static Content of(Plain.FriendsList m) {
    return new Content(m, Generated.of(m));
  }

  static Content of(Plain.Things m) {
    return new Content(m, Generated.of(m));
  }
}
