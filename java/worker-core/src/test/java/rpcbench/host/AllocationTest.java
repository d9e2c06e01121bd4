package rpcbench.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AllocationTest {
  private static final class Told implements Allocation.Threads {
    long total = -1;
    long living;
    long ended;

    @Override
    public long totalBytes() {
      return total;
    }

    @Override
    public long livingBytes() {
      return living;
    }

    @Override
    public long ended() {
      return ended;
    }
  }

  @Test
  void whileNoThreadEndsTheLivingTellAll() {
    Told told = new Told();
    told.ended = 4;
    told.living = 100;
    Allocation allocation = new Allocation(told);
    assertEquals(OptionalLong.of(100), allocation.read());
    told.living = 350;
    assertEquals(OptionalLong.of(350), allocation.read());
  }

  @Test
  void onceAThreadHasEndedItIsUnknown() {
    Told told = new Told();
    told.living = 100;
    Allocation allocation = new Allocation(told);
    allocation.read();
    told.ended = 1;
    assertEquals(OptionalLong.empty(), allocation.read());
    assertEquals(OptionalLong.empty(), allocation.read());
  }

  @Test
  void aMachineThatCountsTheEndedIsBelieved() {
    Told told = new Told();
    told.total = 900;
    told.living = 100;
    told.ended = 5;
    assertEquals(OptionalLong.of(900), new Allocation(told).read());
  }

  @Test
  void theThreadsOfThisMachineTellWhatTheyAllocate() throws InterruptedException {
    JvmThreads threads = new JvmThreads();
    long before = threads.livingBytes();
    byte[] held = new byte[10 << 20];
    long grown = threads.livingBytes() - before;
    assertTrue(grown >= held.length && grown < 2L * held.length, grown + " bytes for " + held.length);

    long ended = threads.ended();
    Thread thread = new Thread(() -> {});
    thread.start();
    thread.join();
    assertTrue(threads.ended() > ended, "a thread ended, and " + threads.ended() + " did");
  }
}
