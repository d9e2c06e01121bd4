package rpcbench.host;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;

/** The threads of a HotSpot machine. */
final class JvmThreads implements Allocation.Threads {
  private static final ThreadMXBean BEAN = bean();
  private static final Method TOTAL = total();

  /** Null where the machine does not tell what threads allocate. */
  private static ThreadMXBean bean() {
    if (ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean
        && bean.isThreadAllocatedMemorySupported()
        && bean.isThreadAllocatedMemoryEnabled()) {
      return bean;
    }
    return null;
  }

  /** The method that JDK 21 brought, null before. */
  private static Method total() {
    try {
      return ThreadMXBean.class.getMethod("getTotalThreadAllocatedBytes");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  @Override
  public long totalBytes() {
    if (BEAN == null || TOTAL == null) {
      return -1;
    }
    try {
      return (long) TOTAL.invoke(BEAN);
    } catch (ReflectiveOperationException e) {
      return -1; // the machine does not tell
    }
  }

  @Override
  public long livingBytes() {
    if (BEAN == null) {
      return -1;
    }
    long sum = 0;
    for (long bytes : BEAN.getThreadAllocatedBytes(BEAN.getAllThreadIds())) {
      sum += Math.max(bytes, 0); // a thread that has just ended is −1, and ended tells of it
    }
    return sum;
  }

  @Override
  public long ended() {
    var threads = ManagementFactory.getThreadMXBean();
    return threads.getTotalStartedThreadCount() - threads.getThreadCount();
  }
}
