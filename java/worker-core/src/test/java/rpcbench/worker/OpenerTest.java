package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;

class OpenerTest {
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
            null);
    CompletableFuture<CallException> first = start(opener);
    dialling.await();
    opener.cancel();
    assertEquals(Code.CANCELLED, get(first).code());
    assertNull(opener.after());
    opener.cancel(); // when no call runs it does nothing
    blocks.set(false);
    assertEquals("interrupted: false", get(start(opener)).getMessage());
  }

  /** From the end of a call, which has the next one wait until it has returned. */
  @Test
  void aCallThatIsCancelledBeforeItsThreadRunsIsNotMade() throws Exception {
    Opener before = new Opener(() -> { throw new CallException(Code.ABORTED, "it need not connect"); }, null);
    Opener opener = new Opener(() -> { throw new AssertionError("it dialled"); }, null);
    CompletableFuture<CallException> ended = new CompletableFuture<>();
    before.start(
        failure -> {
          opener.start(ended::complete);
          opener.cancel();
        });
    assertEquals(Code.CANCELLED, get(ended).code());
  }
}
