package rpcbench.microbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark warms up for as long as compilers need, in several JVMs. */
class SettledTest {
  @Test
  void compilersSettleInSeveralMachines() {
    Set<BenchmarkListEntry> all = BenchmarkList.defaultList()
        .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of());
    assertTrue(all.size() > 20, all.size() + " benchmarks");
    for (BenchmarkListEntry each : all) {
      String name = each.getUsername();
      assertEquals(3, each.getForks().get(), name);
      assertEquals(5, each.getWarmupIterations().get(), name);
      assertEquals(1, each.getWarmupTime().get().convertTo(TimeUnit.SECONDS), name);
    }
  }
}
