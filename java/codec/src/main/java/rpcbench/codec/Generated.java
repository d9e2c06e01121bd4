package rpcbench.codec;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.lang.reflect.RecordComponent;
import java.util.List;

/** The same contents as protobuf's generated classes: a record's components are the fields of their names. */
final class Generated {
  private Generated() {}

  /** Makes the message of a record; empty is of its class. */
  static Message of(Record plain, Message empty) {
    Message.Builder message = empty.newBuilderForType();
    for (RecordComponent component : plain.getClass().getRecordComponents()) {
      FieldDescriptor field = field(message, component.getName());
      Object value = Difference.value(component, plain);
      if (value instanceof List<?> list) {
        list.forEach(one -> message.addRepeatedField(field, value(message, field, one)));
      } else {
        message.setField(field, value(message, field, value));
      }
    }
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
