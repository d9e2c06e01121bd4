package rpcbench.codec;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Finds the differences that a round trip made. */
final class Difference {
  /** Returns the fields of a message by their names, null for anything but a message. */
  private final Function<Object, Map<String, Object>> fields;

  private Difference(Function<Object, Map<String, Object>> fields) {
    this.fields = fields;
  }

  /**
   * Names the first field in which two messages of one class differ, with both values: "people[2].id is 4, not 5". Returns null
   * if they are equal.
   *
   * @param fields as in {@link Codec.Operations#fields}
   */
  static String of(Object got, Object want, Function<Object, Map<String, Object>> fields) {
    if (want.equals(got)) {
      return null;
    }
    String found = new Difference(fields).find(got, want);
    return found.startsWith(".") ? found.substring(1) : found;
  }

  private String find(Object got, Object want) {
    String found = null;
    Map<String, Object> wanted = fields.apply(want);
    if (want instanceof List<?> list && got instanceof List<?> other) {
      found = inList(other, list);
    } else if (wanted != null && got != null && got.getClass() == want.getClass()) {
      found = inMessage(fields.apply(got), wanted);
    }
    return found != null ? found : " is " + got + ", not " + want;
  }

  private String inMessage(Map<String, Object> got, Map<String, Object> want) {
    for (Map.Entry<String, Object> field : want.entrySet()) {
      Object other = got.get(field.getKey());
      if (!Objects.equals(field.getValue(), other)) {
        return "." + field.getKey() + find(other, field.getValue());
      }
    }
    return null;
  }

  private String inList(List<?> got, List<?> want) {
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
