package rpcbench.codec;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import rpcbench.host.JvmOnly;

/** Reads the fields of records by reflection, if PRESENT: Android has no record components before version 14. */
@JvmOnly
final class RecordFields {
  static final boolean PRESENT = find();

  private RecordFields() {}

  private static boolean find() {
    try {
      Class.forName("java.lang.reflect.RecordComponent");
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Returns the fields by their JSON names in camel case, in order. */
  static Map<String, Object> of(Object record) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      try {
        fields.put(component.getName(), component.getAccessor().invoke(record));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("a record's component can't be read", e);
      }
    }
    return fields;
  }
}
