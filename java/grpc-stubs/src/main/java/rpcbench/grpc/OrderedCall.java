package rpcbench.grpc;

import io.grpc.ClientCall;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A call whose messages and end are sent in order, whichever threads send them: for libraries that send what comes from their
 * event loop at once and queue what comes from other threads as tasks of the loop, as Armeria does. There the loop would overtake
 * another sender. Here everything that is sent is a task.
 */
public final class OrderedCall<Q, A> extends SimpleForwardingClientCall<Q, A> {
  private final Executor loop;
  private final AtomicInteger tasks = new AtomicInteger(); // messages not yet passed to the library

  /** Wraps a call of a connection that loop serves, one task after the other. */
  public OrderedCall(ClientCall<Q, A> call, Executor loop) {
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

  /** Reports false while messages are pending. The library must call onReady after it has sent one, so that no wait is endless. */
  @Override
  public boolean isReady() {
    return tasks.get() == 0 && super.isReady();
  }
}
