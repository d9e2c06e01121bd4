package rpcbench.codec;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rpcbench.codec.v1.AddressBook;
import rpcbench.codec.v1.FriendsList;
import rpcbench.codec.v1.SmallRequest;
import rpcbench.codec.v1.Things;

/** Protobuf's generated classes with descriptors: a record's components are the fields with the same names. */
final class Generated implements Protobuf.Form {
  private static final Map<Class<? extends Record>, Message> EMPTY =
      Map.of(
          Plain.SmallRequest.class, SmallRequest.getDefaultInstance(),
          Plain.AddressBook.class, AddressBook.getDefaultInstance(),
          Plain.FriendsList.class, FriendsList.getDefaultInstance(),
          Plain.Things.class, Things.getDefaultInstance());

  @Override
  public Protobuf.Made make(Record plain) {
    Message made = of(plain);
    return new Protobuf.Made(made, new Sizes(made)::forget);
  }

  @Override
  public Map<String, Object> fields(Object message) {
    if (!(message instanceof Message known)) {
      return null;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    known.getDescriptorForType().getFields().forEach(field -> fields.put(field.getName(), known.getField(field)));
    return fields;
  }

  static Message of(Record plain) {
    return of(plain, EMPTY.get(plain.getClass()));
  }

  private static Message of(Record plain, Message empty) {
    Message.Builder message = empty.newBuilderForType();
    Plain.fields(plain).forEach((name, value) -> {
      FieldDescriptor field = field(message, name);
      if (value instanceof List<?> list) {
        list.forEach(one -> message.addRepeatedField(field, value(message, field, one)));
      } else {
        message.setField(field, value(message, field, value));
      }
    });
    return message.build();
  }

  private static FieldDescriptor field(Message.Builder message, String name) {
    return message.getDescriptorForType().getFields().stream()
        .filter(field -> field.getJsonName().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the schema has no field " + name));
  }

  private static Object value(Message.Builder message, FieldDescriptor field, Object plain) {
    return switch (field.getJavaType()) {
      case MESSAGE -> of((Record) plain, message.newBuilderForField(field).buildPartial());
      case ENUM -> field.getEnumType().findValueByNumberCreatingIfUnknown((Integer) plain);
      default -> plain;
    };
  }
}
