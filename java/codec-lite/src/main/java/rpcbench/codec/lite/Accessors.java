package rpcbench.codec.lite;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/** Calls accessors by name. */
final class Accessors {
  private Accessors() {}

  /** Calls the first of these getters that the target has. */
  static Object get(Object target, String... getters) {
    for (String getter : getters) {
      for (Method method : target.getClass().getMethods()) {
        if (method.getName().equals(getter) && method.getParameterCount() == 0) {
          return call(target, method);
        }
      }
    }
    throw new IllegalArgumentException(target.getClass().getSimpleName() + " has none of " + Arrays.toString(getters));
  }

  /** Calls the first of these setters that accepts the value. */
  static void set(Object target, Object value, String... setters) {
    for (Method method : target.getClass().getMethods()) {
      if (List.of(setters).contains(method.getName()) && takes(method, value)) {
        call(target, method, value);
        return;
      }
    }
    throw new IllegalArgumentException(target.getClass().getName() + " has none of " + Arrays.toString(setters));
  }

  private static boolean takes(Method method, Object value) {
    return method.getParameterCount() == 1
        && MethodType.methodType(method.getParameterTypes()[0]).wrap().returnType().isInstance(value);
  }

  private static Object call(Object target, Method method, Object... values) {
    try {
      return method.invoke(target, values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(method + " failed", e);
    }
  }
}
