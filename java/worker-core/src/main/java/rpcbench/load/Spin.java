package rpcbench.load;

import rpcbench.host.JvmOnly;

/** Tells the processor that a thread is spinning, if the JVM supports it. */
@JvmOnly
final class Spin {
  private static final boolean KNOWN = known();

  private Spin() {}

  private static boolean known() {
    try {
      Thread.class.getMethod("onSpinWait");
      return true;
    } catch (NoSuchMethodException e) { // Android before API level 33
      return false;
    }
  }

  static void hint() {
    if (KNOWN) {
      Thread.onSpinWait();
    }
  }
}
