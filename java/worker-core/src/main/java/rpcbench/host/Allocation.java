package rpcbench.host;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.OptionalLong;

/**
 * How much all threads of a HotSpot machine have allocated on the heap, ended ones too.
 *
 * <p>The machine tells it from JDK 21 on, and in later updates of earlier JDKs, and either always or never. The sum over
 * the living threads, which every JDK tells, is no substitute: it shrinks when a thread ends.
 */
@JvmOnly
final class Allocation {
  private static final ThreadMXBean BEAN = bean();
  private static final Method TOTAL = total();

  private Allocation() {}

  /** Null where the machine does not tell what threads allocate. */
  private static ThreadMXBean bean() {
    if (ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
        && bean.isThreadAllocatedMemorySupported()
        && bean.isThreadAllocatedMemoryEnabled()) {
      return bean;
    }
    return null;
  }

  /** Null where the JDK has no such method. */
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
      return OptionalLong.empty(); // the machine does not tell
    }
  }
}
