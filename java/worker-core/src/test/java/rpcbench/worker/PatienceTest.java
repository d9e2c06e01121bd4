package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PatienceTest {
  private static final long MS = 1_000_000;

  private long now = 17;
  private long runnable = 5000 * MS;
  private int looks;
  private final Patience patience = new Patience(3000 * MS, () -> now, this::look);

  private long look() {
    looks++;
    return runnable;
  }

  /** Waits as long, while the process is runnable for a time. */
  private boolean after(long ms, long runnableMs) {
    now += ms * MS;
    runnable += runnableMs * MS;
    return patience.isOver();
  }

  /** The count begins when it was asked for the first time. */
  private void begin() {
    assertEquals(10 * MS, patience.stepNs());
    assertFalse(after(5000, 5000));
  }

  /** There are thousands of such waits, and as many threads to look at. */
  @Test
  void aWaitThatEndsSoonLooksAtNoThread() {
    assertEquals(10 * MS, patience.stepNs());
    assertEquals(0, looks);
    assertFalse(after(10, 0));
    assertEquals(1, looks);
  }

  @Test
  void onlyIdleTimeCounts() {
    begin();
    assertEquals(1000 * MS, patience.stepNs());
    assertFalse(after(1000, 0));
    assertFalse(after(1000, 900), "2 s, of which the process was idle for 1.1 s");
    assertFalse(after(1000, 4000), "several threads were runnable at once");
    assertFalse(after(1200, 0));
    assertEquals(700 * MS, patience.stepNs(), "2.3 s have passed");
    assertTrue(after(700, 0));
    assertEquals("3 s", patience.toString());
  }

  @Test
  void aBusyProcessDoesNotWaitForEver() {
    begin();
    for (int second = 1; second < 9; second++) {
      assertFalse(after(1000, 800), second + " s");
    }
    assertTrue(after(1000, 800));
    assertEquals("9 s, for 7 s of which the worker ran or waited for a processor", patience.toString());
  }

  @Test
  void timeInWhichTheProcessWasStoppedDoesNotCount() {
    begin();
    assertFalse(after(1500, 0));
    assertFalse(after(3_600_000, 0), "one second of it counts");
    assertEquals(500 * MS, patience.stepNs());
    assertTrue(after(500, 0));
  }
}
