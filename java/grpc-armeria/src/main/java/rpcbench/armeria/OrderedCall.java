package rpcbench.armeria;

import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A call whose messages are sent in order, whichever threads send them. Armeria sends a message of its event loop at once and
 * queues those of other threads as tasks, so of two alternating senders the loop would overtake the other. Here every message is
 * a task.
 */
final class OrderedCall<Q, A> extends SimpleForwardingClientCall<Q, A> {
  private final Executor loop;
  private final AtomicInteger tasks = new AtomicInteger(); // messages not yet passed to Armeria

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

  /** Ignores that the call accepts no messages: it was canceled meanwhile, which its listener learns. */
  private static void tryTo(Runnable send) {
    try {
      send.run();
    } catch (IllegalStateException e) {
      return;
    }
  }

  /** Reports false while tasks are pending. Armeria notifies the listener when it has sent a message, so no wait is endless. */
  @Override
  public boolean isReady() {
    return tasks.get() == 0 && super.isReady();
  }
}
