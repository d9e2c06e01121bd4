package rpcbench.load;

import java.util.SplittableRandom;

/** The pure sequence of an open schedule's due times, as specified in worker.v1: equal in every language. */
final class Arrivals {
  /** The due time after the last one. */
  static final long NONE = -1;

  private static final double SECOND_NS = 1e9;

  private final Schedule schedule;
  private final SplittableRandom random;
  private long index;
  private final Curve curve; // of the stages; null without
  private double total; // of a process with the rate 1
  private double atNs; // a floating number, so that rounding does not add up over a long run

  Arrivals(Schedule schedule) {
    this.schedule = schedule;
    this.random = new SplittableRandom(schedule.seed());
    this.curve = schedule.stages().isEmpty() ? null : new Curve(schedule.stages());
  }

  /** The part's following due time in ns, or NONE. */
  long next() {
    while (true) {
      boolean own = index % schedule.parts() == schedule.part();
      long due = following();
      if (own || due == NONE) {
        return due;
      }
    }
  }

  /** The number of the arrival that next returned last, from 0, over all parts. */
  long number() {
    return index - 1;
  }

  /** The following due time of all parts. */
  private long following() {
    if (schedule.calls() > 0 && index >= schedule.calls()) {
      return NONE;
    }
    atNs = schedule.poisson() ? random() : regular(index);
    index++;
    boolean over = schedule.durationNs() > 0 && atNs >= schedule.durationNs();
    return over || atNs > Time.FOREVER_NS ? NONE : (long) atNs;
  }

  /**
   * Returns when arrival i is due if gaps are not random: with stages, when i arrivals are expected. Numbers must not decrease.
   */
  double regular(long i) {
    return curve != null ? curve.reach(i) : i * SECOND_NS / schedule.perSec(); // so that whole seconds are exact
  }

  /**
   * Returns when the next arrival is due if gaps are exponential: with stages, when as many arrivals are expected as the time of a
   * process of rate 1 (Çinlar 1975, inversion of the expected count).
   */
  private double random() {
    double gap = exponential();
    if (curve == null) {
      return atNs + gap * SECOND_NS / schedule.perSec();
    }
    total += gap;
    return curve.reach(total);
  }

  /** A draw from the exponential distribution of mean 1, by inversion of SplitMix64's numbers. */
  private double exponential() {
    return -Math.log(1 - random.nextDouble());
  }
}
