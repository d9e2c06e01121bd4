package rpcbench.httpjson;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** Returns what this JVM's threads have allocated, to test how much memory a peer can make a client use. */
final class Heap {
  private static final ThreadMXBean BEAN = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final Map<Long, Long> SEEN = new HashMap<>(); // by thread; those of ended threads are kept

  private Heap() {}

  static synchronized long allocatedBytes() {
    long[] threads = BEAN.getAllThreadIds();
    long[] bytes = BEAN.getThreadAllocatedBytes(threads);
    for (int i = 0; i < threads.length; i++) {
      SEEN.merge(threads[i], bytes[i], Math::max);
    }
    return SEEN.values().stream().mapToLong(Long::longValue).sum();
  }
}
