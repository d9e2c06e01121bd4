package rpcbench.armeria;

import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A call whose messages go out in the order in which they were sent, whichever threads sent them. Armeria sends a message of
 * its event loop at once and makes a task of any other thread's, so that of two senders that take turns the loop would
 * overtake the other. Here every message is a task.
 */
final class OrderedCall<Q, A> extends SimpleForwardingClientCall<Q, A> {
  private final Executor loop;
  private final AtomicInteger tasks = new AtomicInteger(); // messages that Armeria does not have yet

  /** Wraps a call of a connection that loop serves. */
  OrderedCall(ClientCall<Q, A> call, Executor loop) {
    super(call);
    this.loop = loop;
  }

  @Override
  public void sendMessage(Q message) {
    tasks.incrementAndGet();
    loop.execute(() -> {
      tasks.decrementAndGet();
      tryTo(() -> super.sendMessage(message));
    });
  }

  @Override
  public void halfClose() {
    loop.execute(() -> tryTo(super::halfClose));
  }

  /** A call that was canceled meanwhile accepts nothing, and its listener is told that it was canceled. */
  private static void tryTo(Runnable send) {
    try {
      send.run();
    } catch (IllegalStateException e) {
      return;
    }
  }

  /** Armeria tells the listener when a message that it has is sent, so that no wait is for good. */
  @Override
  public boolean isReady() {
    return tasks.get() == 0 && super.isReady();
  }
}
