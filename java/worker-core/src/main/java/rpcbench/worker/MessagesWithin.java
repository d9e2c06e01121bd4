package rpcbench.worker;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import rpcbench.host.Host;
import rpcbench.load.Metronome;
import rpcbench.load.ParkWaiter;
import rpcbench.record.Times;
import rpcbench.stack.MessageClock;
import rpcbench.stack.MessageTime;

/** Times messages within the calls of a method, and wakes its senders when messages are due. */
final class MessagesWithin implements MessageClock {
  private static final int SHARDS_PER_PROCESSOR = 2;

  private final double perSec;
  private final ParkWaiter waiter; // null without a rate, as the metronome
  private final Metronome metronome;
  private final long begunNs = System.nanoTime();
  private final Times times = new Times(SHARDS_PER_PROCESSOR * Host.processors());
  private final AtomicInteger slots = new AtomicInteger();

  MessagesWithin(double perSec) {
    this.perSec = perSec;
    this.waiter = perSec > 0 ? new ParkWaiter(Host::threadCpuNs, Host::lowerTimerSlack) : null;
    this.metronome = perSec > 0 ? new Metronome(this::nowNs, waiter) : null;
  }

  @Override
  public long nowNs() {
    return System.nanoTime() - begunNs;
  }

  @Override
  public double perSec() {
    return perSec;
  }

  @Override
  public LongConsumer beat(Runnable wake) {
    return metronome.beat(wake);
  }

  @Override
  public void record(int slot, MessageTime of, long ns) {
    times.record(slot, of, ns);
  }

  @Override
  public int nextSlot() {
    return slots.getAndIncrement();
  }

  Times.Taken take() {
    return times.take();
  }

  /** Returns the CPU time of waiting for due times; 0 without waiting, or if unknown. */
  long cpuNs() {
    return waiter == null ? 0 : waiter.cpuNs().orElse(0);
  }

  void close() {
    if (metronome != null) {
      metronome.close();
    }
  }
}
