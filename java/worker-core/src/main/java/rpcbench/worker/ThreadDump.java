package rpcbench.worker;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import rpcbench.host.JvmOnly;
import rpcbench.stack.CallException;

/** Writes the stacks of all threads, with their locks. A separate class, because Android's Java has no management beans. */
@JvmOnly
final class ThreadDump {
  private ThreadDump() {}

  /** Returns the output of jstack, which every JDK's JVM can produce itself. */
  static String text() throws IOException {
    try {
      ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
      Object[] locks = {new String[] {"-l"}};
      String[] signature = {String[].class.getName()};
      return (String) ManagementFactory.getPlatformMBeanServer().invoke(commands, "threadPrint", locks, signature);
    } catch (JMException e) {
      throw new IOException("this JVM can't list its threads: " + CallException.reason(e), e);
    }
  }
}
