package rpcbench.host;

import java.util.List;

/**
 * The JVM's own or configured choices.
 *
 * @param collector the garbage collector: "G1"; empty if unknown
 * @param maxHeapBytes the maximum heap size; 0 if unknown
 * @param arguments its options, including those from the environment
 */
public record VirtualMachine(String collector, long maxHeapBytes, List<String> arguments) {
  /** Describes the virtual machine that this process is. */
  public static VirtualMachine describe() {
    long most = Runtime.getRuntime().maxMemory();
    return new VirtualMachine(
        Beans.present() ? collectorOf(Beans.collectors()) : "",
        most == Long.MAX_VALUE ? 0 : most,
        Beans.present() ? Beans.arguments() : List.of());
  }

  /** Takes the names of the collectors' beans, of which a collector has several. */
  static String collectorOf(List<String> beans) {
    if (beans.isEmpty()) {
      return "";
    }
    String first = beans.get(0).split(" ")[0];
    return switch (first) {
      case "Copy", "MarkSweepCompact" -> "Serial";
      case "PS" -> "Parallel";
      default -> first; // G1 Young Generation, ZGC Minor Cycles, Shenandoah Pauses, Epsilon Heap
    };
  }
}
