package rpcbench.load;

/** Schedules in the terms of tests. */
public final class Schedules {
  private Schedules() {}

  /** Returns a schedule with a constant rate; 0 is a closed load. */
  public static Schedule constant(double perSec) {
    return new Schedule(perSec, false, 0, 0, 0, 0, 1);
  }

  public static Schedule poisson(double perSec, long seed) {
    return new Schedule(perSec, true, seed, 0, 0, 0, 1);
  }

  /** The same schedule, ending after a duration. */
  public static Schedule during(long durationNs, Schedule s) {
    return new Schedule(s.perSec(), s.poisson(), s.seed(), durationNs, s.calls(), s.part(), s.parts(), s.stages());
  }

  /** The same schedule, ending after a number of calls. */
  public static Schedule counting(long calls, Schedule s) {
    return new Schedule(s.perSec(), s.poisson(), s.seed(), s.durationNs(), calls, s.part(), s.parts(), s.stages());
  }

  /** A part of the same schedule. */
  static Schedule part(long part, long parts, Schedule s) {
    return new Schedule(s.perSec(), s.poisson(), s.seed(), s.durationNs(), s.calls(), part, parts, s.stages());
  }

  /** The same schedule, with stages. */
  static Schedule staged(Schedule s, Stage... stages) {
    return new Schedule(
        s.perSec(), s.poisson(), s.seed(), s.durationNs(), s.calls(), s.part(), s.parts(), java.util.List.of(stages));
  }
}
