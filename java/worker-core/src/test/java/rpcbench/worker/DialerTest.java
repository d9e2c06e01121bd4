package rpcbench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import rpcbench.stack.CallException;
import rpcbench.stack.Code;
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
  private String late(Callable<?> work) {
    CallException failed = assertThrows(CallException.class, () -> dialer(false).patiently(1, work));
    assertEquals(Code.UNAVAILABLE, failed.code());
    String start = "connection 2 of 2 was not ready within 0 s: ";
    assertTrue(failed.getMessage().startsWith(start), failed.getMessage());
    return failed.getMessage().substring(start.length());
  }

  @Test
  void aStackThatIsStillLoadingIsNotLate() throws CallException {
    assertEquals("opened", dialer(true).patiently(0, this::opened));
  }

  @Test
  void aServerThatDoesNotAnswerIsLate() {
    assertEquals("no socket was connected", late(this::opened));
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
