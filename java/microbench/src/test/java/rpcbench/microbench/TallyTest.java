package rpcbench.microbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

final class TallyTest {
  private final Tally tally = new Tally(Duration.ofHours(1));

  @Test
  void sliceWaitsForCompletionAndHasOnlyWhatWasCompletedInIt() throws Exception {
    tally.count();
    tally.count();

    FutureTask<Long> slice = new FutureTask<>(() -> tally.during(Duration.ZERO));
    Thread counting = new Thread(slice);
    counting.start();
    while (counting.isAlive() && counting.getState() != Thread.State.TIMED_WAITING) { // it has begun, and found no completion
      Thread.onSpinWait();
    }
    tally.count();

    assertEquals(1, slice.get());
  }

  @Test
  void firstFailureEndsTheNextSlice() {
    RuntimeException first = new RuntimeException("refused");
    tally.fail(first);
    tally.fail(new RuntimeException("and closed"));

    IllegalStateException failed = assertThrows(IllegalStateException.class, () -> tally.during(Duration.ZERO));

    assertEquals("a call of the loop failed: refused", failed.getMessage());
    assertSame(first, failed.getCause());
  }

  @Test
  void streamThatEndsByItselfIsFailure() {
    tally.failEnded();
    assertThrows(IllegalStateException.class, () -> tally.during(Duration.ZERO));
  }

  @Test
  void callsThatCloseCancelsAreNoFailures() {
    Tally impatient = new Tally(Duration.ZERO);
    impatient.close();
    impatient.fail(new RuntimeException("cancelled"));

    assertStandsStill(impatient);
  }

  @Test
  void silenceHasAnEnd() {
    assertStandsStill(new Tally(Duration.ZERO));
  }

  private static void assertStandsStill(Tally tally) {
    IllegalStateException silent = assertThrows(IllegalStateException.class, () -> tally.during(Duration.ZERO));
    assertEquals("the loop has stalled: nothing was completed in 0 ms", silent.getMessage());
  }
}
