package rpcbench.load;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Wakes senders when something within their calls is due, such as the next message of a stream. One thread waits for all of them.
 * Safe for concurrent use.
 */
public final class Metronome implements AutoCloseable {
  /** Limits one exact wait, so that the thread notices a beat that is due sooner. */
  private static final long WAIT_MAX_NS = 5_000_000;

  private final Time time;
  private final TreeSet<Beat> beats = // guarded by itself
      new TreeSet<>(Comparator.<Beat>comparingLong(beat -> beat.atNs).thenComparingLong(beat -> beat.number));
  private long senders; // guarded by beats
  private final Thread thread;
  private volatile boolean closed;

  /** The wake-up that one sender waits for. */
  private static final class Beat {
    private final Runnable wake;
    private final long number; // distinguishes beats that are due at the same time
    private long atNs;

    Beat(Runnable wake, long number) {
      this.wake = wake;
      this.number = number;
    }
  }

  /** Starts a metronome with a monotonic clock. It owns the Waiter until it is closed. */
  public Metronome(LongSupplier clock, Waiter waiter) {
    this(new SystemTime(clock, waiter));
  }

  Metronome(Time time) {
    this.time = time;
    this.thread = time.start("rpcbench-messages", this::run);
  }

  /**
   * Returns a function that requests a wake-up at a time of the clock. Requesting again before it has come moves it. wake must
   * not block, because all other senders wait for it; it may request again.
   */
  public LongConsumer beat(Runnable wake) {
    Beat beat = register(wake);
    return atNs -> {
      boolean first;
      synchronized (beats) {
        beats.remove(beat);
        beat.atNs = atNs;
        beats.add(beat);
        first = beats.first() == beat;
      }
      if (first && Thread.currentThread() != thread) {
        time.unpark(thread);
      }
    };
  }

  private Beat register(Runnable wake) {
    synchronized (beats) {
      return new Beat(wake, senders++);
    }
  }

  /** Ends the metronome. It wakes no sender afterwards, except one that is being woken now. */
  @Override
  public void close() {
    closed = true;
    time.unpark(thread);
  }

  private void run() {
    while (!closed) {
      long early = earlyNs();
      if (early <= 0) {
        wakeDue();
      } else if (early <= WAIT_MAX_NS) {
        time.waitNs(early);
      } else {
        time.parkNs(early - WAIT_MAX_NS / 2);
        Thread.interrupted(); // it means nothing here, and left standing no park would block
      }
    }
  }

  /** Returns the time until the first beat. */
  private long earlyNs() {
    synchronized (beats) {
      return beats.isEmpty() ? Time.FOREVER_NS : beats.first().atNs - time.nowNs();
    }
  }

  private void wakeDue() {
    long now = time.nowNs();
    for (Beat beat = due(now); beat != null; beat = due(now)) {
      try {
        beat.wake.run();
      } catch (RuntimeException e) { // its sender's alone: all others wait for this thread
        System.err.println("a message's wake-up failed: " + e);
      }
    }
  }

  private Beat due(long now) {
    synchronized (beats) {
      return beats.isEmpty() || beats.first().atNs > now ? null : beats.pollFirst();
    }
  }
}
