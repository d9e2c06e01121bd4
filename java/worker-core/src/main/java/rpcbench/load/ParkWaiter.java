package rpcbench.load;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Parks the thread until shortly before the time, and spins for the last microseconds, its lead, in which a sleeping processor
 * would only wake up. It spins for at most a ninth of the time, so that a fast schedule does not use up a core. Parking is as
 * exact as the thread's timer slack, which is lowered if the system allows it.
 */
public final class ParkWaiter implements Waiter {
  private static final long SPIN_SHARE = 9; // at most one part in SPIN_SHARE of the time is spent spinning
  private static final long SAVED_MAX_NS = 1_000_000;

  private final LongSupplier threadCpuNs;
  private final Runnable lowerSlack;
  private final LongSupplier clock;
  private final LongConsumer park;
  private final boolean knowsCpu;
  private final AtomicLong cpuNs = new AtomicLong();
  private final Lead lead = new Lead();
  private long savedNs; // spinning that may still be spent
  private long reckonedAt;
  private Thread lowered; // the thread that waited last

  /** Takes a source of the calling thread's CPU time in ns, negative if unknown, and an action that lowers its timer slack. */
  public ParkWaiter(LongSupplier threadCpuNs, Runnable lowerSlack) {
    this(threadCpuNs, lowerSlack, System::nanoTime, ns -> LockSupport.parkNanos(ParkWaiter.class, ns));
  }

  /** Takes a clock in ns and a function that parks the thread, for tests. */
  ParkWaiter(LongSupplier threadCpuNs, Runnable lowerSlack, LongSupplier clock, LongConsumer park) {
    this.threadCpuNs = threadCpuNs;
    this.lowerSlack = lowerSlack;
    this.clock = clock;
    this.park = park;
    this.knowsCpu = threadCpuNs.getAsLong() >= 0;
    this.reckonedAt = clock.getAsLong();
  }

  /** Returns the CPU time of all waits so far, including spinning; absent if unknown. It may be called at any time. */
  public OptionalLong cpuNs() {
    return knowsCpu ? OptionalLong.of(cpuNs.get()) : OptionalLong.empty();
  }

  @Override
  public void waitNs(long ns) {
    if (lowered != Thread.currentThread()) {
      lowered = Thread.currentThread();
      lowerSlack.run();
    }
    if (!knowsCpu) {
      await(ns);
      return;
    }
    long before = threadCpuNs.getAsLong();
    await(ns);
    cpuNs.lazySet(cpuNs.get() + threadCpuNs.getAsLong() - before);
  }

  private void await(long ns) {
    long start = clock.getAsLong();
    savedNs = Math.min(savedNs + (start - reckonedAt) / SPIN_SHARE, SAVED_MAX_NS);
    reckonedAt = start;
    long allowedNs = Math.min(lead.ns(), savedNs);
    long parkNs = ns - allowedNs;
    long woken = start;
    if (parkNs > 0) {
      park.accept(parkNs);
      Thread.interrupted(); // an interruption of the pacer means nothing, and left standing no park would block
      woken = clock.getAsLong();
      lead.learn(woken - start - parkNs);
    }
    long now = woken;
    while (now - start < ns && now - woken < allowedNs) {
      Spin.hint();
      now = clock.getAsLong();
    }
    // In the rest the thread had lost its processor. Waits would be too long until that was paid off.
    savedNs -= Math.min(now - woken, allowedNs);
  }
}
