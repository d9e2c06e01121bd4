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
    if (curve != null) {
      atNs = curve.reach(expected());
    } else if (schedule.poisson()) {
      atNs += exponential() * SECOND_NS / schedule.perSec();
    } else {
      atNs = index * SECOND_NS / schedule.perSec(); // so that whole seconds are exact
    }
    index++;
    boolean over = schedule.durationNs() > 0 && atNs >= schedule.durationNs();
    return over || atNs > Time.FOREVER_NS ? NONE : (long) atNs;
  }

  /**
   * Returns the number of arrivals that stages must expect when the next is due: the number of arrivals before it, or, for
   * exponential gaps, a draw from a process of rate 1 (Çinlar 1975, inversion of the expected count).
   */
  private double expected() {
    if (!schedule.poisson()) {
      return index;
    }
    total += exponential();
    return total;
  }

  /** A draw from the exponential distribution of mean 1, by inversion of SplitMix64's numbers. */
  private double exponential() {
    return -Math.log(1 - random.nextDouble());
  }

  /** The last due time; it uses up the sequence. */
  long last() {
    long last = 0;
    for (long due = next(); due != NONE; due = next()) {
      last = due;
    }
    return last;
  }
}
