package rpcbench.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rpcbench.load.ParkWaiter;
import rpcbench.load.Room;
import rpcbench.load.Schedule;
import rpcbench.load.Tally;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;

/** What a call costs beside the stack's own work. */
class CostTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int FIRST = 20_000;
  private static final int LAST = 120_000;

  /** Its calls are over at once; it reads what its thread has allocated at its first and last call. */
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
    public CallException after() {
      return null;
    }
  }

  /** All of an open load at 10^9/s is overdue. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 1e9})
  void aCallAllocatesNothing(double perSec) {
    Idle caller = new Idle();
    Room room = new Room(List.of(caller), System::nanoTime, new ParkWaiter(() -> -1), 10_000_000_000L);
    Schedule schedule = Schedule.constant(perSec).counting(LAST);
    Recorder recorder = new Recorder(4, schedule.open(), 20);
    Tally tally = room.begin(schedule, 10_000_000_000L, recorder).run();
    assertEquals(LAST, tally.arrivals());
    assertEquals(0, caller.allocatedBytes, "bytes of " + (LAST - FIRST) + " calls");
  }
}
