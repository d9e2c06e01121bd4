package rpcbench.host;

import java.util.List;

/**
 * What the virtual machine chose for itself, or was told.
 *
 * @param collector of garbage: "G1"; empty is unknown
 * @param maxHeapBytes what the heap can grow to; 0 is unknown
 * @param arguments its options, those of the environment included
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
