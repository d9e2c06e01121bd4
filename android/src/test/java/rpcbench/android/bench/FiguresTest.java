package rpcbench.android.bench;

import static org.junit.Assert.assertEquals;

import org.junit.Test;
import rpcbench.worker.v1.Worker.Connected;
import rpcbench.worker.v1.Worker.Done;
import rpcbench.worker.v1.Worker.Outcome;
import rpcbench.worker.v1.Worker.Tail;

public final class FiguresTest {
  private static final long WINDOW_NS = 100_000_000;

  @Test
  public void aCallThatIsOKAfterTheWindowIsOKAndNotOfTheRate() {
    Done done = Done.newBuilder()
        .setWindowNs(WINDOW_NS)
        .addOutcomes(Outcome.newBuilder().setCode("OK").setCalls(1))
        .addOutcomes(Outcome.newBuilder().setCode("UNAVAILABLE").setCalls(2))
        .setTail(Tail.newBuilder().setOk(1))
        .build();
    assertEquals(new Figures("", "", "0.00", 1, 2), Figures.of(Connected.getDefaultInstance(), done));
  }
}
