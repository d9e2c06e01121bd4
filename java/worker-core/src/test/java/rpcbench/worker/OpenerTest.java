package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

class OpenerTest {
  private static final Executor THREADS = Threads.pool("test");

  private static CompletableFuture<CallException> start(Opener opener) {
    CompletableFuture<CallException> ended = new CompletableFuture<>();
    opener.start(ended::complete);
    return ended;
  }

  private static CallException get(CompletableFuture<CallException> ended) throws Exception {
    return ended.get();
  }

  @Test
  void cancellingInterruptsTheDialAndNoOther() throws Exception {
    CountDownLatch dialling = new CountDownLatch(1);
    AtomicReference<Boolean> blocks = new AtomicReference<>(true);
    Opener opener =
        new Opener(
            () -> {
              if (!blocks.get()) {
                throw new CallException(Code.ABORTED, "interrupted: " + Thread.interrupted());
              }
              dialling.countDown();
              try {
                new CountDownLatch(1).await();
                throw new AssertionError("nothing opens the latch");
              } catch (InterruptedException e) {
                throw new CallException(Code.CANCELLED, "interrupted");
              }
            },
            false,
            THREADS);
    CompletableFuture<CallException> first = start(opener);
    dialling.await();
    opener.cancel();
    assertEquals(Code.CANCELLED, get(first).code());
    assertNull(opener.after());
    opener.cancel(); // when no call runs it does nothing
    blocks.set(false);
    assertEquals("interrupted: false", get(start(opener)).getMessage());
  }

  @Test
  void aCallThatIsCancelledBeforeItsThreadRunsIsNotMade() throws Exception {
    AtomicReference<Runnable> work = new AtomicReference<>();
    Opener opener = new Opener(() -> { throw new AssertionError("it dialled"); }, false, work::set);
    CompletableFuture<CallException> ended = start(opener);
    opener.cancel();
    work.get().run();
    assertEquals(Code.CANCELLED, get(ended).code());
  }
}
