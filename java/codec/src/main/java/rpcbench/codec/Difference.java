package rpcbench.codec;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.lang.reflect.RecordComponent;
import java.util.List;

/** Finds what a round trip lost. */
final class Difference {
  private Difference() {}

  /**
   * Names the first field in which two messages of one class differ, records or protobuf's, with its two values:
   * "people[2].id is 4, not 5". Null where they are equal.
   */
  static String of(Object got, Object want) {
    if (want.equals(got)) {
      return null;
    }
    String found = find(got, want);
    return found.startsWith(".") ? found.substring(1) : found;
  }

  private static String find(Object got, Object want) {
    String found = null;
    if (want instanceof Message message && got instanceof Message other) {
      found = inMessage(other, message);
    } else if (want instanceof Record && got != null && got.getClass() == want.getClass()) {
      found = inRecord(got, want);
    } else if (want instanceof List<?> list && got instanceof List<?> other) {
      found = inList(other, list);
    }
    return found != null ? found : " is " + got + ", not " + want;
  }

  private static String inMessage(Message got, Message want) {
    for (FieldDescriptor field : want.getDescriptorForType().getFields()) {
      if (!want.getField(field).equals(got.getField(field))) {
        return "." + field.getName() + find(got.getField(field), want.getField(field));
      }
    }
    return null;
  }

  private static String inRecord(Object got, Object want) {
    for (RecordComponent component : want.getClass().getRecordComponents()) {
      Object wanted = value(component, want);
      if (!wanted.equals(value(component, got))) {
        return "." + component.getName() + find(value(component, got), wanted);
      }
    }
    return null;
  }

  static Object value(RecordComponent component, Object record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a record's component can't be read", e);
    }
  }

  private static String inList(List<?> got, List<?> want) {
    if (got.size() != want.size()) {
      return " has " + got.size() + " elements, not " + want.size();
    }
    for (int i = 0; i < want.size(); i++) {
      if (!want.get(i).equals(got.get(i))) {
        return "[" + i + "]" + find(got.get(i), want.get(i));
      }
    }
    return null;
  }
}
