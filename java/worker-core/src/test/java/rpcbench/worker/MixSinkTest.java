package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import rpcbench.load.Fate;
import rpcbench.record.Recorder;
import rpcbench.record.Summary;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

class MixSinkTest {
  private static final int CALLS = 8;

  private final Recorder whole = new Recorder(1);

  /** A histogram has 270 kB. A mix may have dozens of calls, and a heap is a quarter of the memory. */
  @Test
  void aCallOfAMixTakesFewHistograms() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    MixSink sink = new MixSink(whole, CALLS);
    sink.begin();
    sink.of(0).record(0, Fate.ANSWERED, 0, 0, 1000, 0, 0, null);
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(bytes < CALLS * 1_500_000, bytes + " bytes for " + CALLS + " calls");
  }

  @Test
  void everyCallIsCountedAmongAllAndAmongItsOwn() {
    MixSink sink = new MixSink(whole, CALLS);
    whole.begin(true, 0);
    sink.begin();
    for (int slot = 0; slot < 5; slot++) {
      sink.of(1).record(slot, Fate.ANSWERED, 0, 0, 1000, 0, 0, null);
    }
    sink.of(2).record(0, Fate.ANSWERED, 0, 0, 1000, 0, 0, new CallException(Code.INTERNAL, "broken"));
    sink.of(2).unsent(0, 1000, 3);
    List<Summary> each = sink.summaries();
    assertEquals(List.of(0L, 5L, 0L), each.subList(0, 3).stream().map(MixSinkTest::ok).toList());
    assertEquals(1, each.get(2).histograms().get("error").getTotalCount());
    assertEquals(3, each.get(2).unsent());
    whole.endWindow(1);
    assertEquals(5, ok(whole.summary()));
    assertEquals(3, whole.summary().unsent());
  }

  private static long ok(Summary summary) {
    return summary.outcomes().stream().filter(o -> o.code() == Code.OK).mapToLong(o -> o.calls()).sum();
  }
}
