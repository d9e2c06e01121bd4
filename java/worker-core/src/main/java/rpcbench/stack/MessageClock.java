package rpcbench.stack;

import java.util.function.LongConsumer;

/**
 * Times messages within the calls of a {@link Method}, and says when they are due. Adapters read no clock. Safe for concurrent
 * use.
 */
public interface MessageClock {
  /** Monotonic, from any origin. */
  long nowNs();

  /**
   * How many messages a second each call of upload and stream sends: message k is due k/perSec after its call was sent, whatever
   * replies do. 0 sends them as fast as the connection takes them.
   */
  double perSec();

  /**
   * Returns what asks for a wake-up at a time of nowNs. Asking again before it has come moves it. wake may also come when nobody
   * asks any more; it must not wait for anything. Only with perSec.
   */
  LongConsumer beat(Runnable wake);

  /** Takes what was timed. Those that call it concurrently should have different slots. */
  void record(int slot, MessageTime of, long ns);

  /** Numbers those that time, from 0. */
  int nextSlot();
}
