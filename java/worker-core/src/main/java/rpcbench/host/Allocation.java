package rpcbench.host;

import java.util.OptionalLong;

/**
 * How much the threads of this process have allocated on the heap.
 *
 * <p>From JDK 21 on the machine counts it itself. Before, it tells the figure of every living thread, and what a thread
 * allocated is forgotten when it ends. So a reading is the sum over the living ones, and only the difference of two
 * readings means anything. Once a thread has ended since the first reading, all readings are absent, so that the
 * difference of any two that are there is exact.
 */
final class Allocation {
  /** Tells of threads; what it can't tell is negative. */
  interface Threads {
    /** What all threads have allocated, ended ones too, in bytes. */
    long totalBytes();

    /** What the living threads have allocated, in bytes. */
    long livingBytes();

    /** How many threads have ended. */
    long ended();
  }

  private final Threads threads;
  private long endedAtFirst = -1; // before the first reading

  Allocation(Threads threads) {
    this.threads = threads;
  }

  /** Reads bytes. */
  synchronized OptionalLong read() {
    long total = threads.totalBytes();
    if (total >= 0) {
      return OptionalLong.of(total);
    }
    long ended = threads.ended();
    if (endedAtFirst < 0) {
      endedAtFirst = ended;
    }
    long bytes = threads.livingBytes();
    boolean whole = ended == endedAtFirst && threads.ended() == ended;
    return bytes >= 0 && whole ? OptionalLong.of(bytes) : OptionalLong.empty();
  }
}
