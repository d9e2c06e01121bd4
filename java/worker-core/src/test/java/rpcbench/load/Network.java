package rpcbench.load;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Does things at their virtual times, on its own thread. */
final class Network {
  private record Event(long at, long number, Runnable work) {}

  private final VirtualTime time;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
  private final Thread thread;
  private long number;

  Network(VirtualTime time) {
    this.time = time;
    this.thread = time.start("network", this::run);
  }

  /** Does the work after that many ns. Work that is due at one time is done in the order of the requests. */
  void after(long ns, Runnable work) {
    events.add(new Event(time.nowNs() + ns, number++, work));
    time.unpark(thread);
  }

  private void run() {
    while (true) {
      Event next = events.peek();
      long wait = next == null ? Time.FOREVER_NS : next.at() - time.nowNs();
      if (wait > 0) {
        time.parkNs(wait);
      } else {
        events.poll().work().run();
      }
    }
  }
}
