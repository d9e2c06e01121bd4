package rpcbench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParkWaiterTest {
  private static final long LOOK_NS = 50;

  /** A thread to which each look at the clock takes a little, and each park as long as was asked for, or longer. */
  private static final class Idler {
    private final long oversleepsNs;
    private final ParkWaiter waiter = new ParkWaiter(() -> -1, () -> {}, this::look, this::park);
    private long now;
    private long parkedNs;
    private int looked; // since it was parked
    private long preemptedNs; // in its next spin

    Idler(long oversleepsNs) {
      this.oversleepsNs = oversleepsNs;
    }

    private long look() {
      if (++looked == 2) {
        now += preemptedNs;
        preemptedNs = 0;
      }
      return now += LOOK_NS;
    }

    private void park(long ns) {
      looked = 0;
      now += ns + oversleepsNs;
      parkedNs += ns + oversleepsNs;
    }

    /** Returns how long a wait took. */
    long waits(long ns) {
      long begun = now;
      waiter.waitNs(ns);
      return now - begun;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000, 50_000, 1_000_000, 5_000_000})
  void aWaitTakesWhatItWasAskedFor(long ns) {
    Idler idler = new Idler(0);
    for (int i = 0; i < 1000; i++) {
      long took = idler.waits(ns);
      assertTrue(took >= ns && took <= ns + 4 * LOOK_NS, "it took " + took + " ns");
    }
  }

  /** Of a short wait a ninth is spent spinning, of a long one the lead, which is 20 µs for a thread that never oversleeps. */
  @ParameterizedTest
  @CsvSource({"90000, 10000", "450000, 20000", "5000000, 20000"})
  void aWaitIsParkedButForItsLastPart(long ns, long spunNs) {
    Idler idler = new Idler(0);
    for (int i = 0; i < 1000; i++) { // the lead settles
      idler.waits(ns);
    }
    long before = idler.now - idler.parkedNs;
    int waits = 1000;
    for (int i = 0; i < waits; i++) {
      idler.waits(ns);
    }
    assertEquals(spunNs, (idler.now - idler.parkedNs - before) / waits, 4 * LOOK_NS);
  }

  /** The lead grows until the thread is awake in time. */
  @Test
  void whoOversleepsALittleWakesEarlier() {
    Idler idler = new Idler(150_000);
    for (int i = 0; i < 1000; i++) {
      idler.waits(5_000_000);
    }
    long late = 0;
    for (int i = 0; i < 1000; i++) {
      late += idler.waits(5_000_000) > 5_000_000 + 4 * LOOK_NS ? 1 : 0;
    }
    assertTrue(late <= 10, late + " waits of 1000 took too long");
  }

  /** A thread that is woken late has spun for nothing, and goes on at once. */
  @Test
  void whoWakesLateDoesNotSpin() {
    Idler idler = new Idler(400_000); // more than the lead may be
    for (int i = 0; i < 1000; i++) {
      long before = idler.now - idler.parkedNs;
      idler.waits(1_000_000);
      long spun = idler.now - idler.parkedNs - before;
      assertTrue(spun <= 4 * LOOK_NS, "it spun for " + spun + " ns");
    }
  }

  /** The waits after a spin in which the thread lost its processor end in time. */
  @Test
  void whoIsPreemptedDoesNotSleepLongerAfterwards() {
    Idler idler = new Idler(0);
    idler.now = 1_000_000_000;
    idler.waits(1_000_000);
    idler.preemptedNs = 60_000_000;
    assertTrue(idler.waits(1_000_000) >= 60_000_000);
    for (int i = 0; i < 10; i++) {
      long took = idler.waits(1_000_000);
      assertTrue(took <= 1_000_000 + 4 * LOOK_NS, "it took " + took + " ns");
    }
  }

  /** A thread whose CPU time grows by 7 ns with every reading: each wait lies between two readings. */
  @Test
  void waitsCountTheirCpu() {
    long[] cpu = {0};
    ParkWaiter waiter = new ParkWaiter(() -> cpu[0] += 7, () -> {});
    assertEquals(OptionalLong.of(0), waiter.cpuNs());
    waiter.waitNs(1000);
    waiter.waitNs(1000);
    assertEquals(OptionalLong.of(14), waiter.cpuNs());
  }

  @Test
  void unknownCpuIsAbsent() {
    ParkWaiter waiter = new ParkWaiter(() -> -1, () -> {});
    waiter.waitNs(1000);
    assertEquals(OptionalLong.empty(), waiter.cpuNs());
  }

  @Test
  void anInterruptionDoesNotKeepItFromBlocking() {
    ParkWaiter waiter = new ParkWaiter(() -> -1, () -> {});
    Thread.currentThread().interrupt();
    waiter.waitNs(2_000_000); // returns early, which is allowed once
    assertFalse(Thread.interrupted());
  }

  @Test
  void theSlackOfEveryThreadThatWaitsIsLoweredOnce() throws Exception {
    List<Thread> lowered = new ArrayList<>();
    ParkWaiter waiter = new ParkWaiter(() -> -1, () -> lowered.add(Thread.currentThread()), () -> 0, ns -> {});
    List<Thread> waited = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Thread thread =
          new Thread(
              () -> {
                waiter.waitNs(0);
                waiter.waitNs(0);
              });
      thread.start();
      thread.join();
      waited.add(thread);
    }
    assertEquals(waited, lowered);
  }
}
