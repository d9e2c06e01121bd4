package rpcbench.host;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.OptionalLong;

/**
 * The heap memory that all threads of a HotSpot JVM have allocated, including ended ones.
 *
 * <p>The JVM reports it from JDK 21 on, and in later updates of earlier JDKs, either always or never. The sum over living
 * threads, which every JDK reports, is no substitute, because it shrinks when a thread ends.
 */
@JvmOnly
final class Allocation {
  private static final ThreadMXBean BEAN = bean();
  private static final Method TOTAL = total();

  private Allocation() {}

  /** Returns null if the JVM does not report what threads allocate. */
  private static ThreadMXBean bean() {
    if (ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
        && bean.isThreadAllocatedMemorySupported()
        && bean.isThreadAllocatedMemoryEnabled()) {
      return bean;
    }
    return null;
  }

  /** Returns null if the JDK has no such method. */
  private static Method total() {
    try {
      return ThreadMXBean.class.getMethod("getTotalThreadAllocatedBytes");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  static OptionalLong totalBytes() {
    if (BEAN == null || TOTAL == null) {
      return OptionalLong.empty();
    }
    try {
      long bytes = (long) TOTAL.invoke(BEAN);
      return bytes >= 0 ? OptionalLong.of(bytes) : OptionalLong.empty();
    } catch (ReflectiveOperationException e) {
      return OptionalLong.empty(); // the JVM does not report it
    }
  }
}
