package rpcbench.host;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Reads HotSpot's internal management beans. The manifest of the worker's jar exports their package; without that, or on
 * another JVM, every figure is absent.
 */
final class HotSpot {
  private static final String PACKAGE = "sun.management.";

  private static final Figure THREAD_CPU = new Figure("HotspotThreadMBean", "getInternalThreadCpuTimes");
  private static final Figure COMPILATIONS = new Figure("HotspotCompilationMBean", "getTotalCompileCount");
  private static final Figure SAFEPOINT_SYNC = new Figure("HotspotRuntimeMBean", "getSafepointSyncTime");
  private static final Figure SAFEPOINTS = new Figure("HotspotRuntimeMBean", "getSafepointCount");

  private HotSpot() {}

  /** The CPU time in ns of each of the JVM's internal threads that runs, by its name; empty if unknown. */
  static Map<String, Long> threadCpuNs() {
    return THREAD_CPU.read() instanceof Map<?, ?> times ? longs(times) : Map.of();
  }

  @SuppressWarnings("unchecked") // its interface promises these types
  private static Map<String, Long> longs(Map<?, ?> times) {
    return (Map<String, Long>) times;
  }

  /** Returns the number of methods compiled so far. */
  static OptionalLong compilations() {
    return COMPILATIONS.number();
  }

  /** How many ms threads took to stop, whenever all had to. */
  static OptionalLong safepointSyncMs() {
    return SAFEPOINT_SYNC.number();
  }

  /** How often all threads were stopped. */
  static OptionalLong safepoints() {
    return SAFEPOINTS.number();
  }

  /** A getter of a bean. */
  private static final class Figure {
    private final Object bean; // null if there is none, as getter
    private final Method getter;

    Figure(String type, String name) {
      Object found = null;
      Method method = null;
      try {
        found = Class.forName(PACKAGE + "ManagementFactoryHelper").getMethod("get" + type).invoke(null);
        method = Class.forName(PACKAGE + type).getMethod(name);
        method.invoke(found); // fails if calling it is not allowed
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        method = null; // another JVM, or a package that is not exported
      }
      bean = found;
      getter = method;
    }

    /** Returns null if the figure is unknown. */
    Object read() {
      try {
        return getter == null ? null : getter.invoke(bean);
      } catch (ReflectiveOperationException e) {
        return null;
      }
    }

    OptionalLong number() {
      return read() instanceof Long n && n >= 0 ? OptionalLong.of(n) : OptionalLong.empty();
    }
  }
}
