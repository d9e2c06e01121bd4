package rpcbench.codec.nano;

import com.google.protobuf.nano.MessageNano;
import java.io.IOException;
import java.util.Map;
import rpcbench.codec.Codec;
import rpcbench.codec.Content;
import rpcbench.codec.Plain;
import rpcbench.codec.v1.nano.AddressBook;
import rpcbench.codec.v1.nano.FriendsList;
import rpcbench.codec.v1.nano.SmallRequest;
import rpcbench.codec.v1.nano.Things;

/** Protobuf's nano classes, to and from an array. Each encoding computes all sizes anew. */
final class Nano implements Codec.Operations {
  private static final Map<Class<?>, Reading> READINGS =
      Map.of(
          Plain.SmallRequest.class, SmallRequest::parseFrom,
          Plain.AddressBook.class, AddressBook::parseFrom,
          Plain.FriendsList.class, FriendsList::parseFrom,
          Plain.Things.class, Things::parseFrom);

  private final MessageNano message;
  private final Reading reading;

  Nano(Content content) {
    message = NanoMessages.of(content.plain());
    reading = READINGS.get(content.plain().getClass());
  }

  @FunctionalInterface
  private interface Reading {
    MessageNano read(byte[] encoded) throws IOException;
  }

  @Override
  public Object object() {
    return message;
  }

  @Override
  public byte[] encode() {
    return MessageNano.toByteArray(message);
  }

  @Override
  public Object decode(byte[] encoded) throws IOException {
    return reading.read(encoded);
  }

  @Override
  public Map<String, Object> fields(Object message) {
    return NanoMessages.fields(message);
  }
}
