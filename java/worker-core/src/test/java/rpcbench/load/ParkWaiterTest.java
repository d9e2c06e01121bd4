package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ParkWaiterTest {
  @Test
  void aWaitIsNotShort() {
    ParkWaiter waiter = new ParkWaiter(() -> -1);
    long start = System.nanoTime();
    for (long until = start + 3_000_000; System.nanoTime() < until; ) {
      waiter.waitNs(until - System.nanoTime());
    }
    long took = System.nanoTime() - start;
    assertTrue(took >= 3_000_000, "it took " + took + " ns");
  }

  /** A thread whose CPU time grows by 7 ns with every reading: each wait lies between two readings. */
  @Test
  void waitsCountTheirCpu() {
    long[] cpu = {0};
    ParkWaiter waiter = new ParkWaiter(() -> cpu[0] += 7);
    assertEquals(OptionalLong.of(0), waiter.cpuNs());
    waiter.waitNs(1000);
    waiter.waitNs(1000);
    assertEquals(OptionalLong.of(14), waiter.cpuNs());
  }

  @Test
  void unknownCpuIsAbsent() {
    ParkWaiter waiter = new ParkWaiter(() -> -1);
    waiter.waitNs(1000);
    assertEquals(OptionalLong.empty(), waiter.cpuNs());
  }

  @Test
  void anInterruptionDoesNotKeepItFromBlocking() {
    ParkWaiter waiter = new ParkWaiter(() -> -1);
    Thread.currentThread().interrupt();
    waiter.waitNs(2_000_000); // returns early, which is allowed once
    assertEquals(false, Thread.interrupted());
  }
}
