package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import rpcbench.stack.Call;
import rpcbench.stack.CallException;
import rpcbench.stack.Caller;
import rpcbench.stack.Code;
import rpcbench.stack.Conn;
import rpcbench.stack.Kind;
import rpcbench.stack.Wire;

/** A Patience's clock advances by 1 ms whenever it is read, until the connection is ready. */
class DialerTest {
  private static final long MS = 1_000_000;

  private final Wire wire = new Wire();
  private final CountDownLatch ready = new CountDownLatch(1);
  private long now;

  private Dialer dialer(boolean busy) {
    return new Dialer(
        EchoStack.multiplexed(), Commands.connect("echo", Kind.UNARY, "127.0.0.1:0").build(), null, wire,
        () -> new Patience(3 * MS, this::tick, () -> busy ? now : 0));
  }

  /** The connection is ready at 8 ms, where the clock stands still, however long its thread takes to say so. */
  private long tick() {
    if (now < 8 * MS) {
      now += MS;
    } else {
      ready.countDown();
    }
    return now;
  }

  private String opened() throws InterruptedException {
    ready.await();
    return "opened";
  }

  /** Returns why connection 2 was late, which waits until it is interrupted. */
  private String late(Callable<String> work) {
    CallException failed = assertThrows(CallException.class, () -> dialer(false).patiently(1, List.of(work)));
    assertEquals(Code.UNAVAILABLE, failed.code());
    String start = "connection 2 of 2 was not ready within 0 s: ";
    assertTrue(failed.getMessage().startsWith(start), failed.getMessage());
    return failed.getMessage().substring(start.length());
  }

  @Test
  void aStackThatIsStillLoadingIsNotLate() throws CallException {
    assertEquals(List.of("opened"), dialer(true).patiently(0, List.of(this::opened)));
  }

  @Test
  void aServerThatDoesNotAnswerIsLate() {
    assertEquals("no socket was connected", late(this::opened));
  }

  /** Returns a dialer whose clock never passes the time that it waits for a connection. */
  private Dialer patient() {
    return new Dialer(
        EchoStack.multiplexed(), Commands.connect("echo", Kind.UNARY, "127.0.0.1:0").build(), null, wire,
        () -> new Patience(3 * MS, () -> 0, () -> 0));
  }

  @Test
  void connectionsAreOpenedInParallelWithinABound() throws CallException {
    CyclicBarrier whole = new CyclicBarrier(Dialer.AT_ONCE); // none is ready before as many are being opened
    AtomicInteger opening = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Callable<Integer>> works = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < 3 * Dialer.AT_ONCE; i++) {
      int number = i;
      numbers.add(number);
      works.add(() -> {
        most.accumulateAndGet(opening.incrementAndGet(), Math::max);
        whole.await();
        opening.decrementAndGet();
        return number;
      });
    }
    assertEquals(numbers, patient().patiently(1, works));
    assertEquals(Dialer.AT_ONCE, most.get());
  }

  @Test
  void noConnectionIsBegunAfterOneHasFailed() throws InterruptedException {
    AtomicInteger begun = new AtomicInteger();
    CountDownLatch interrupted = new CountDownLatch(Dialer.AT_ONCE - 1);
    List<Callable<String>> works = new ArrayList<>();
    for (int i = 0; i < 10 * Dialer.AT_ONCE; i++) {
      boolean fails = i == 5;
      works.add(() -> {
        begun.incrementAndGet();
        if (fails) {
          throw new CallException(Code.UNAVAILABLE, "nobody listens");
        }
        try {
          return opened(); // never
        } finally {
          interrupted.countDown();
        }
      });
    }
    CallException failed = assertThrows(CallException.class, () -> patient().patiently(1, works));
    assertEquals("nobody listens", failed.getMessage());
    interrupted.await(); // of those that had begun
    int least = Dialer.AT_ONCE;
    assertTrue(begun.get() == least || begun.get() == least + 1, begun + " were begun"); // the one that failed left a thread free
  }

  @Test
  void theReasonCountsTheOthersThatAreLate() {
    assertEquals("connection 2 of 2 was not ready within 0 s, nor was another one", lateOf(2));
    assertEquals("connection 2 of 2 was not ready within 0 s, nor were 2 others", lateOf(3));
  }

  private String lateOf(int connections) {
    now = 0;
    List<Callable<String>> works = Collections.nCopies(connections, this::opened);
    return assertThrows(CallException.class, () -> dialer(false).patiently(1, works)).getMessage();
  }

  @Test
  void whatIsReadyOnlyAfterTheEndIsClosed() {
    AtomicInteger closed = new AtomicInteger();
    Conns conns = new Conns(2);
    conns.put(1, closing(closed));
    assertEquals(1, conns.ready().size());
    conns.close();
    assertEquals(1, closed.get());
    conns.put(0, closing(closed));
    assertEquals(2, closed.get());
  }

  private static Conn closing(AtomicInteger closed) {
    return new Conn() {
      @Override
      public Caller caller(Call call, int slot) {
        throw new IllegalStateException("no call is made");
      }

      @Override
      public void close() {
        closed.incrementAndGet();
      }
    };
  }

  @Test
  void theReasonSaysHowFarAConnectionCame() {
    wire.opened(); // connection 1
    wire.received(900);
    Progress progress = new Progress(wire);
    assertEquals("no socket was connected", progress.toString());
    wire.opened();
    assertEquals("a socket was connected, and the server sent nothing", progress.toString());
    wire.secured();
    wire.received(42);
    assertEquals("a socket was connected, TLS was ready, and the server sent 42 bytes", progress.toString());
    wire.carriesObjects();
    assertEquals("a socket was connected, TLS was ready", progress.toString());
  }
}
