package rpcbench.codec.lite;

import com.google.protobuf.GeneratedMessageLite;
import com.google.protobuf.MessageLite;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rpcbench.codec.Plain;
import rpcbench.codec.Protobuf;
import rpcbench.codec.v1.Things;

/**
 * Protobuf's lite classes. They have no descriptors, so a record's components are the accessors with the same names. Accessors of
 * enumerations take and return numbers.
 */
final class Lite implements Protobuf.Form {
  @Override
  public Protobuf.Made make(Record plain) {
    List<GeneratedMessageLite<?, ?>> made = new ArrayList<>();
    GeneratedMessageLite<?, ?> message = of(plain, made);
    return new Protobuf.Made(message, new LiteSizes(made)::forget);
  }

  @Override
  public Map<String, Object> fields(Object message) {
    if (!(message instanceof GeneratedMessageLite<?, ?>)) {
      return null;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    for (RecordComponent component : plainOf(message).getRecordComponents()) {
      String getter = "get" + capital(component.getName());
      fields.put(component.getName(), Accessors.get(message, getter + "Value", getter + "List", getter));
    }
    return fields;
  }

  /** Returns the message of a record, and adds it and all messages in it to made. */
  private static GeneratedMessageLite<?, ?> of(Record plain, List<GeneratedMessageLite<?, ?>> made) {
    MessageLite.Builder builder = builderOf(plain);
    Plain.fields(plain)
        .forEach(
            (name, value) -> {
              if (value instanceof List<?> list) {
                list.forEach(one -> Accessors.set(builder, of((Record) one, made), "add" + capital(name)));
              } else {
                Object field = value instanceof Record one ? of(one, made) : value;
                Accessors.set(builder, field, "set" + capital(name), "set" + capital(name) + "Value");
              }
            });
    GeneratedMessageLite<?, ?> message = (GeneratedMessageLite<?, ?>) builder.build();
    made.add(message);
    return message;
  }

  /** Returns a builder of the class with a record's name. */
  private static MessageLite.Builder builderOf(Record plain) {
    try {
      String name = Things.class.getPackageName() + "." + plain.getClass().getSimpleName();
      return (MessageLite.Builder) Class.forName(name).getMethod("newBuilder").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("the schema has no message " + plain.getClass().getSimpleName(), e);
    }
  }

  /** Returns the record with the name of a message's class. */
  private static Class<?> plainOf(Object message) {
    for (Class<?> plain : Plain.class.getDeclaredClasses()) {
      if (plain.getSimpleName().equals(message.getClass().getSimpleName())) {
        return plain;
      }
    }
    throw new IllegalArgumentException("no record is named " + message.getClass().getSimpleName());
  }

  private static String capital(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
