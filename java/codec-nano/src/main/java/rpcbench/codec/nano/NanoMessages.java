package rpcbench.codec.nano;

import com.google.protobuf.nano.MessageNano;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import rpcbench.codec.Plain;
import rpcbench.codec.v1.nano.Things;

/** Converts records to nano's messages: a component is the public field with the same name, a list an array. */
final class NanoMessages {
  private NanoMessages() {}

  static MessageNano of(Record plain) {
    try {
      Class<?> type = Class.forName(Things.class.getPackageName() + "." + plain.getClass().getSimpleName());
      MessageNano message = (MessageNano) type.getConstructor().newInstance();
      for (Map.Entry<String, Object> component : Plain.fields(plain).entrySet()) {
        Field field = type.getField(component.getKey());
        field.set(message, value(component.getValue(), field.getType()));
      }
      return message;
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("the schema has no such message as " + plain.getClass().getSimpleName(), e);
    }
  }

  private static Object value(Object plain, Class<?> type) {
    if (plain instanceof List<?> list) {
      Object array = Array.newInstance(type.getComponentType(), list.size());
      for (int i = 0; i < list.size(); i++) {
        Array.set(array, i, of((Record) list.get(i)));
      }
      return array;
    }
    return plain instanceof Record one ? of(one) : plain;
  }

  /** Returns the fields of a message by their names, null for anything but a message. */
  static Map<String, Object> fields(Object message) {
    if (!(message instanceof MessageNano)) {
      return null;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    for (Field field : message.getClass().getFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        fields.put(field.getName(), read(field, message));
      }
    }
    return fields;
  }

  private static Object read(Field field, Object message) {
    try {
      Object value = field.get(message);
      return value instanceof Object[] array ? Arrays.asList(array) : value;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " is public", e);
    }
  }
}
