package rpcbench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualMachineTest {
  @Test
  void collectorsHaveTheNamesOfTheirOptions() {
    assertEquals("Serial", VirtualMachine.collectorOf(List.of("Copy", "MarkSweepCompact")));
    assertEquals("Parallel", VirtualMachine.collectorOf(List.of("PS MarkSweep", "PS Scavenge")));
    assertEquals("G1", VirtualMachine.collectorOf(List.of("G1 Young Generation", "G1 Old Generation")));
    assertEquals("ZGC", VirtualMachine.collectorOf(List.of("ZGC Minor Cycles", "ZGC Minor Pauses")));
    assertEquals("Shenandoah", VirtualMachine.collectorOf(List.of("Shenandoah Cycles", "Shenandoah Pauses")));
    assertEquals("", VirtualMachine.collectorOf(List.of()));
  }
}
