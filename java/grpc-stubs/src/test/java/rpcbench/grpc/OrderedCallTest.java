package rpcbench.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class OrderedCallTest {
  private final Queue<Runnable> loop = new ArrayDeque<>();
  private final List<String> sent = new ArrayList<>();
  private boolean onLoop;
  private boolean over;

  /** Sends at once what comes from the loop, and queues what comes from elsewhere. */
  private final class Overtaking extends ClientCall<String, String> {
    private void send(String what) {
      if (over) {
        throw new IllegalStateException("call was cancelled");
      }
      if (onLoop) {
        sent.add(what);
      } else {
        loop.add(() -> sent.add(what));
      }
    }

    @Override
    public void sendMessage(String message) {
      send(message);
    }

    @Override
    public void halfClose() {
      send("end");
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void start(Listener<String> listener, Metadata metadata) {}

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(String message, Throwable cause) {}
  }

  private void runLoop() {
    onLoop = true;
    for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
      task.run();
    }
    onLoop = false;
  }

  /** Sends a message from the test's thread, then one and the end from the loop, before it gets to its tasks. */
  private void sendFromBoth(ClientCall<String, String> call) {
    call.sendMessage("1");
    onLoop = true;
    call.sendMessage("2");
    call.halfClose();
    runLoop();
  }

  @Test
  void withoutItTheLoopOvertakes() {
    sendFromBoth(new Overtaking());
    assertEquals(List.of("2", "end", "1"), sent);
  }

  @Test
  void messagesAndTheEndKeepTheirOrder() {
    sendFromBoth(new OrderedCall<>(new Overtaking(), loop::add));
    assertEquals(List.of("1", "2", "end"), sent);
  }

  @Test
  void itIsReadyOnceTheLibraryHasAllMessages() {
    ClientCall<String, String> call = new OrderedCall<>(new Overtaking(), loop::add);
    assertTrue(call.isReady());
    call.sendMessage("1");
    call.sendMessage("2");
    loop.poll().run();
    assertFalse(call.isReady());
    runLoop();
    assertTrue(call.isReady());
  }

  @Test
  void aCallThatWasCancelledMeanwhileIsNoFailureOfTheLoop() {
    ClientCall<String, String> call = new OrderedCall<>(new Overtaking(), loop::add);
    call.sendMessage("1");
    call.halfClose();
    over = true;
    runLoop();
    assertEquals(List.of(), sent);
    assertTrue(call.isReady());
  }
}
