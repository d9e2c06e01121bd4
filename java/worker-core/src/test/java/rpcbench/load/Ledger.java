package rpcbench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import rpcbench.stack.CallException;

/** A Sink that keeps everything. */
final class Ledger implements Sink {
  record Sample(
      int slot, Fate fate, long due, long sent, long done, long queue, long wake, CallException failure) {
    long response() {
      return done - due;
    }

    long service() {
      return done - sent;
    }
  }

  final List<Sample> samples = new ArrayList<>();

  @Override
  public synchronized void record(
      int slot, Fate fate, long due, long sent, long done, long queue, long wake, CallException failure) {
    samples.add(new Sample(slot, fate, due, sent, done, queue, wake, failure));
  }

  synchronized long count(Predicate<Sample> which) {
    return samples.stream().filter(which).count();
  }

  long count(Fate fate) {
    return count(s -> s.fate() == fate);
  }
}
