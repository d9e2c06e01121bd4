package rpcbench.stack;

import java.util.function.LongConsumer;

/**
 * Times messages within the calls of a {@link Method}, and decides when they are due. Adapters read no clock. Safe for concurrent
 * use.
 */
public interface MessageClock {
  /** Monotonic, from any origin. */
  long nowNs();

  /**
   * Returns the number of messages per second that each call of upload and stream sends: message k is due k/perSec after its call
   * was sent, whatever the replies. 0 sends them as fast as the connection accepts them.
   */
  double perSec();

  /**
   * Returns a function that requests a wake-up at a time of nowNs. Requesting again before it has come moves it. wake may also be
   * called without a pending request; it must not block. Only with perSec.
   */
  LongConsumer beat(Runnable wake);

  /** Records a time. Concurrent callers should have different slots. */
  void record(int slot, MessageTime of, long ns);

  /** Returns the next slot number, from 0. */
  int nextSlot();
}
