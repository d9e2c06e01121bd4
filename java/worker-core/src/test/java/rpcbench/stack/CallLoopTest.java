package rpcbench.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CallLoopTest {
  private static final int CALLS = 100_000; // more than a stack would hold, were each to begin the next upon itself

  /** Records the events of a call in order, with their threads. */
  private static final class Hearing implements Caller.Done {
    private final List<String> heard = new ArrayList<>();
    private final CompletableFuture<List<String>> all = new CompletableFuture<>();

    private void add(String what) {
      heard.add(what + (Thread.currentThread().getName().equals("rpcbench-call") ? " there" : " here"));
    }

    @Override
    public void sent() {
      add("sent");
    }

    @Override
    public void done(CallException failure) {
      add("done");
      all.complete(heard);
    }
  }

  @Test
  void aCallIsSentWhereItIsMade() throws Exception {
    Hearing hearing = new Hearing();
    new Scripted(() -> hearing.add("made")).start(hearing);
    assertEquals(List.of("sent there", "made there", "done there"), hearing.all.get());
  }

  private static CompletableFuture<CallException> start(Caller caller) {
    CompletableFuture<CallException> ended = new CompletableFuture<>();
    caller.start(ended::complete);
    return ended;
  }

  private static CallException call(Caller caller) throws Exception {
    return start(caller).get();
  }

  @Test
  void callsThatFollowOneAnotherStayOnTheirThread() throws Exception {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CompletableFuture<Void> over = new CompletableFuture<>();
    Scripted caller = new Scripted(() -> threads.add(Thread.currentThread()));
    caller.start(
        new Caller.Done() {
          private int done;

          @Override
          public void done(CallException failure) {
            if (++done == CALLS) {
              over.complete(null);
            } else {
              caller.start(this);
            }
          }
        });
    over.get();
    assertEquals(1, threads.size());
  }

  @Test
  void callsThatBeginTogetherRunTogether() throws Exception {
    int calls = 5;
    CountDownLatch inside = new CountDownLatch(calls);
    CountDownLatch ended = new CountDownLatch(calls);
    Scripted first =
        new Scripted(
            () -> {
              inside.countDown();
              inside.await();
            });
    Scripted before = new Scripted(() -> {});
    before.start(
        nothing -> { // all of them are started at the end of one call, on its thread
          for (int i = 0; i < calls; i++) {
            new Scripted(first.work).start(failure -> ended.countDown());
          }
        });
    ended.await();
  }

  @Test
  void aCallThatThrowsEnds() throws Exception {
    Caller caller =
        new Scripted(
            () -> {
              throw new IllegalStateException("oops");
            });
    CallException failure = call(caller);
    assertEquals(Code.INTERNAL, failure.code());
    assertEquals("oops", failure.getMessage());
  }

  /** An Error of the virtual machine is a call's, too, and its slot makes the next one. */
  @Test
  void anErrorEndsItsCallOnly() throws Exception {
    List<Error> errors = new ArrayList<>(List.of(new OutOfMemoryError("heap"), new NoClassDefFoundError("a/Class")));
    Caller caller =
        new Scripted(
            () -> {
              if (!errors.isEmpty()) {
                throw errors.remove(0);
              }
            });
    CallException exhausted = call(caller);
    assertEquals(Code.RESOURCE_EXHAUSTED, exhausted.code());
    assertTrue(exhausted.getMessage().contains("heap"), exhausted.getMessage());
    CallException internal = call(caller);
    assertEquals(Code.INTERNAL, internal.code());
    assertTrue(internal.getMessage().contains("a/Class"), internal.getMessage());
    assertNull(call(caller));
  }

  @Test
  void aCancelledCallIsCancelledWhateverItSaysAndTheNextIsNot() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Scripted caller =
        new Scripted(
            () -> {
              go.await();
              throw new IOException("closed");
            });
    CompletableFuture<CallException> first = start(caller);
    caller.cancel();
    go.countDown();
    assertEquals(Code.CANCELLED, first.get().code());
    assertEquals(1, caller.aborted);
    caller.cancel();
    assertEquals(1, caller.aborted);
    assertEquals(Code.UNAVAILABLE, call(caller).code());
  }

  @Test
  void aThreadThatIsIdleIsUsedAgain() throws Exception {
    idleAfterACall();
    for (int i = 0; i < 20; i++) {
      Set<Thread> before = Thread.getAllStackTraces().keySet();
      Thread made = idleAfterACall();
      assertTrue(before.contains(made), "a new thread made call " + i);
      assertTrue(made.isDaemon());
    }
  }

  /** Makes a call, and returns its thread when that has nothing to do any more. */
  private static Thread idleAfterACall() throws Exception {
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    assertNull(call(new Scripted(() -> thread.complete(Thread.currentThread()))));
    Thread made = thread.get();
    while (made.getState() != Thread.State.TIMED_WAITING) { // for work
      Thread.sleep(1);
    }
    return made;
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static final class Scripted extends BlockingCaller {
    private final Work work;
    private int aborted;

    Scripted(Work work) {
      this.work = work;
    }

    @Override
    protected void perform() throws IOException {
      try {
        work.run();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    protected void abort() {
      aborted++;
    }

    @Override
    public void late() {}

    @Override
    public CallException after() {
      return null;
    }
  }
}
