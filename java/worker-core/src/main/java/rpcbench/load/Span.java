package rpcbench.load;

import java.util.function.BooleanSupplier;

/**
 * How long the calls of a schedule are due. A phase has it before it begins, as calls that are due while it is computed would be
 * late.
 *
 * @param windowNs the duration, or of an open load with a number of calls until one more would be due; else far away
 * @param endNs the duration, or when the part's last call is due; else far away
 */
record Span(long windowNs, long endNs) {
  /** How many arrivals are read between two looks for a stop: about 0.1 ms. */
  private static final int READ_AT_ONCE = 1 << 12;

  /**
   * Returns the schedule's span. It takes time in proportion to the number of calls only if they are random. It is incomplete if
   * stopped returns true meanwhile.
   */
  static Span of(Schedule schedule, BooleanSupplier stopped) {
    if (schedule.durationNs() > 0) {
      return new Span(schedule.durationNs(), schedule.durationNs());
    }
    if (!schedule.open() || schedule.calls() == 0) {
      return new Span(Time.FOREVER_NS, Time.FOREVER_NS);
    }
    return schedule.poisson() ? read(schedule, stopped) : computed(schedule);
  }

  /** Returns the span of a number of calls whose due times follow from their numbers. */
  private static Span computed(Schedule schedule) {
    long last = lastDue(schedule, schedule.calls());
    return new Span(at(schedule, last), at(schedule, schedule.last(Math.min(schedule.calls(), last + 1))));
  }

  /**
   * Returns the number of the last arrival, up to n, that is ever due: the rate may end at 0 before. It is negative if none is.
   */
  private static long lastDue(Schedule schedule, long n) {
    if (isDue(schedule, n)) {
      return n;
    }
    long from = 0; // the first that is not due is between the two
    long to = n;
    while (from < to) {
      long middle = from + (to - from) / 2;
      if (isDue(schedule, middle)) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from - 1;
  }

  private static boolean isDue(Schedule schedule, long number) {
    return new Arrivals(schedule).regular(number) <= Time.FOREVER_NS;
  }

  /** Returns when the arrival with that number is due; 0 for the one before the first. */
  private static long at(Schedule schedule, long number) {
    return number < 0 ? 0 : (long) new Arrivals(schedule).regular(number);
  }

  /** Returns the span of a number of calls from their arrivals, one after another. */
  private static Span read(Schedule part, BooleanSupplier stopped) {
    Arrivals arrivals =
        new Arrivals(new Schedule(part.perSec(), true, part.seed(), 0, part.calls() + 1, 0, 1, part.stages()));
    long window = 0;
    long end = 0;
    for (long due = arrivals.next(); due != Arrivals.NONE; due = arrivals.next()) {
      window = due;
      long number = arrivals.number();
      if (number < part.calls() && number % part.parts() == part.part()) {
        end = due;
      }
      if (number % READ_AT_ONCE == 0 && stopped.getAsBoolean()) {
        break;
      }
    }
    return new Span(window, end);
  }
}
