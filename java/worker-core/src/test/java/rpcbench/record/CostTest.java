package rpcbench.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.load.Schedule;
import rpcbench.load.Schedules;
import rpcbench.load.SlotPool;
import rpcbench.load.Tally;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;

/** The cost of a call in addition to the stack's own work. */
class CostTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int FIRST = 20_000;
  private static final int LAST = 220_000;
  private static final int OBJECT_BYTES = 16; // the least that an object takes
  private static final long HOUR_NS = 3_600_000_000_000L;

  /** Ends its calls at once, and reads what its thread has allocated at its first and last call. */
  private static final class Idle implements Caller {
    private int calls;
    long allocatedBytes;

    @Override
    public void start(Done done) {
      calls++;
      if (calls == FIRST || calls == LAST) {
        allocatedBytes = THREADS.getCurrentThreadAllocatedBytes() - allocatedBytes;
      }
      done.done(null);
    }

    @Override
    public void cancel() {}

    @Override
    public void late() {}

    @Override
    public CallException after() {
      return null;
    }
  }

  /**
   * A JVM that compiles a method has its constants and classes made, by the thread that runs it: some kilobytes, once. An
   * object for every hundredth call would be more. Each look at the clock takes a microsecond, so that all of an open
   * load at 10^9/s is overdue.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0, 1e9})
  void aCallAllocatesNothing(double perSec) {
    Idle caller = new Idle();
    AtomicLong now = new AtomicLong();
    SlotPool pool = new SlotPool(List.of(caller), () -> now.addAndGet(1000), ns -> {}, HOUR_NS);
    Schedule schedule = Schedules.counting(LAST, Schedules.constant(perSec));
    Recorder recorder = RecorderTest.recorder(4, schedule.open(), 20);
    Tally tally = pool.begin(schedule, HOUR_NS, recorder).run();
    assertEquals(LAST, tally.arrivals());
    int objects = (LAST - FIRST) / 100;
    assertTrue(caller.allocatedBytes < objects * OBJECT_BYTES, caller.allocatedBytes + " bytes");
  }
}
