package rpcbench.worker;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Comparator;

/** Writes what every thread is doing, with its locks. Its own class, because Android's Java has no management beans. */
final class ThreadDump {
  private ThreadDump() {}

  static String text() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    ThreadInfo[] threads =
        bean.dumpAllThreads(bean.isObjectMonitorUsageSupported(), bean.isSynchronizerUsageSupported());
    Arrays.sort(threads, Comparator.comparingLong(ThreadInfo::getThreadId));
    StringBuilder text = new StringBuilder();
    text.append(threads.length).append(" threads\n");
    long[] deadlocked = bean.isSynchronizerUsageSupported() ? bean.findDeadlockedThreads() : null;
    if (deadlocked != null) {
      text.append("deadlocked: ").append(Arrays.toString(deadlocked)).append('\n');
    }
    for (ThreadInfo thread : threads) {
      append(text, thread);
    }
    return text.toString();
  }

  private static void append(StringBuilder text, ThreadInfo thread) {
    text.append("\n\"").append(thread.getThreadName()).append("\" #").append(thread.getThreadId());
    text.append(thread.isDaemon() ? " daemon " : " ").append(thread.getThreadState());
    if (thread.getLockName() != null) {
      text.append(" on ").append(thread.getLockName());
    }
    if (thread.getLockOwnerName() != null) {
      text.append(" held by \"").append(thread.getLockOwnerName()).append("\" #").append(thread.getLockOwnerId());
    }
    text.append('\n');
    StackTraceElement[] stack = thread.getStackTrace();
    for (int depth = 0; depth < stack.length; depth++) {
      text.append("    at ").append(stack[depth]).append('\n');
      for (MonitorInfo monitor : thread.getLockedMonitors()) {
        if (monitor.getLockedStackDepth() == depth) {
          text.append("    - locked ").append(monitor).append('\n');
        }
      }
    }
    for (LockInfo lock : thread.getLockedSynchronizers()) {
      text.append("    - owns ").append(lock).append('\n');
    }
  }
}
