package rpcbench.load;

import java.util.List;

/**
 * When calls are due. With rate zero the load is closed: calls are due when a slot is free. The schedule ends after a duration
 * (arrivals are due in [0, duration)) or a number of calls; zero is no limit, and with neither it ends only by stop.
 *
 * @param perSec mean arrivals per second of the whole worker; 0 is closed
 * @param poisson exponential gaps instead of constant ones
 * @param seed of the exponential gaps
 * @param part the index among the parts that several workers make together: the arrivals of an open load, or the calls of a
 *     closed one, are dealt to them one by one
 * @param parts the number of parts; 1 is a whole load
 * @param stages change the load over time: the rate of an open load, whose mean over the schedule is perSec, which then only
 *     marks it as open; or the number of slots of a closed load that make calls, rounded to a whole number. After the last stage,
 *     its final value continues. A closed load with stages ends after a duration, or by stop
 */
public record Schedule(
    double perSec, boolean poisson, long seed, long durationNs, long calls, long part, long parts, List<Stage> stages) {
  /** Creates a constant load. */
  public Schedule(double perSec, boolean poisson, long seed, long durationNs, long calls, long part, long parts) {
    this(perSec, poisson, seed, durationNs, calls, part, parts, List.of());
  }

  /** Creates a closed load that only stop ends. */
  public static Schedule closed() {
    return new Schedule(0, false, 0, 0, 0, 0, 1);
  }

  /** Returns the part's share of n if they are dealt out one by one. */
  long share(long n) {
    return (n + parts - 1 - part) / parts;
  }

  /** Returns the part's last number below n if they are dealt out one by one; it is negative if there is none. */
  long last(long n) {
    return part + (share(n) - 1) * parts;
  }

  /** Returns the maximum number of calls that the part's stages of a closed load have in flight. */
  public long maxInFlight() {
    double max = 0;
    for (Stage stage : stages) {
      max = Math.max(max, Math.max(stage.from(), stage.to()));
    }
    return share((long) Math.ceil(Math.min(max, Integer.MAX_VALUE)));
  }

  /** Reports whether arrivals have their own due times. */
  public boolean open() {
    return perSec > 0;
  }
}
