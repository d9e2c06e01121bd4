package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.worker.v1.Worker.BackgroundDone;

class BackgroundTest {
  private static final CallException LOST = new CallException(Code.UNAVAILABLE, "lost");

  /** Ends its calls when a test says so, or when they are canceled. */
  private static final class Held implements Caller {
    private final LinkedBlockingQueue<Done> running = new LinkedBlockingQueue<>();
    private final CountDownLatch cancelled = new CountDownLatch(1);

    @Override
    public void start(Done done) {
      running.add(done);
    }

    /** Waits for a call, and ends it. */
    void end(CallException failure) throws InterruptedException {
      running.take().done(failure);
    }

    @Override
    public void cancel() {
      Done done = running.poll();
      if (done != null) {
        done.done(new CallException(Code.CANCELLED, "cancelled"));
        cancelled.countDown();
      }
    }

    @Override
    public void late() {}

    @Override
    public CallException after() {
      return null;
    }
  }

  @Test
  void everyCallIsFollowedByAnotherAndCountedInItsPhase() throws Exception {
    Held one = new Held();
    Held other = new Held();
    Background background = new Background(List.of(one, other), Commands.HOUR_NS);
    background.begin();
    one.end(null);
    one.end(null);
    one.end(LOST);
    other.end(new CallException(Code.INTERNAL, "not the first error"));
    assertEquals(
        BackgroundDone.newBuilder().setOk(2).setErrors(2).setExample("UNAVAILABLE: lost").build(),
        background.counted());

    background.begin();
    other.end(null);
    one.end(null);
    one.end(null);
    BackgroundDone second = BackgroundDone.newBuilder().setOk(3).build();
    assertEquals(second, background.counted());

    background.end();
    one.cancelled.await();
    other.cancelled.await();
    assertEquals(second, background.counted(), "the end is no error");
  }
}
