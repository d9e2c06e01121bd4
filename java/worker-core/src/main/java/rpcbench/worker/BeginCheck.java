package rpcbench.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import rpcbench.load.Schedule;
import rpcbench.load.Stage;
import rpcbench.worker.v1.Worker;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Load;
import rpcbench.worker.v1.Worker.Phase;

/** Reads the load of a Begin, and names the first field of it that can't be honoured. */
final class BeginCheck {
  /** The maximum number of windows in a Done, which limits its length. */
  private static final int WINDOWS_MAX = 50;
  private static final long INTERVAL_LEAST_NS = 5_000_000;
  private static final long INTERVAL_MOST_NS = 1_000_000_000;

  private BeginCheck() {}

  /** Reads the schedule for a number of slots. */
  static Schedule schedule(Begin c, int slots) throws FaultException {
    Load load = c.getLoad();
    boolean closed = load.getArrivals().equals("closed");
    boolean poisson = load.getArrivals().equals("poisson");
    if (!closed && !poisson && !load.getArrivals().equals("constant")) {
      throw new FaultException(
          "begin.load.arrivals", "\"" + load.getArrivals() + "\" is not closed, constant or poisson");
    }
    if (closed != (load.getPerSec() == 0) || !(load.getPerSec() >= 0) || Double.isInfinite(load.getPerSec())) {
      throw new FaultException(
          "begin.load.per_sec", load.getPerSec() + " is not a rate for " + load.getArrivals());
    }
    if (c.getPhase() != Phase.PHASE_WARMUP && c.getPhase() != Phase.PHASE_MEASURED) {
      throw new FaultException("begin.phase", c.getPhaseValue() + " is not a phase");
    }
    if (c.getDurationNs() > 0 == c.getCalls() > 0 || c.getDurationNs() < 0 || c.getCalls() < 0) {
      throw new FaultException("begin.duration_ns", "it needs exactly one of duration_ns and calls");
    }
    if (c.getDrainNs() < 0) {
      throw new FaultException("begin.drain_ns", "it can't be negative");
    }
    if (c.getDelayNs() < 0) {
      throw new FaultException("begin.delay_ns", "it can't be negative");
    }
    if (c.getIntervalNs() != 0 && (c.getIntervalNs() < INTERVAL_LEAST_NS || c.getIntervalNs() > INTERVAL_MOST_NS)) {
      throw new FaultException("begin.interval_ns", c.getIntervalNs() + " ns is not between 5 ms and 1 s");
    }
    long part = Integer.toUnsignedLong(load.getPart());
    long parts = Math.max(1, Integer.toUnsignedLong(load.getParts()));
    if (part >= parts) {
      throw new FaultException("begin.load.part", "there is no part " + part + " of " + parts);
    }
    if (c.getWindows() < 0 || c.getWindows() > WINDOWS_MAX) {
      throw new FaultException(
          "begin.windows", Integer.toUnsignedString(c.getWindows()) + " is above the limit of " + WINDOWS_MAX);
    }
    Schedule schedule = new Schedule(
        load.getPerSec(), poisson, load.getSeed(), c.getDurationNs(), c.getCalls(), part, parts, stages(load));
    if (closed && !schedule.stages().isEmpty()) {
      checkRamp(schedule, slots);
    }
    return schedule;
  }

  private static List<Stage> stages(Load load) throws FaultException {
    List<Stage> stages = new ArrayList<>();
    for (Worker.Stage s : load.getStagesList()) {
      if (!isLoad(s.getFrom()) || !isLoad(s.getTo()) || s.getLengthNs() <= 0) {
        throw new FaultException(
            "begin.load.stages", s.getFrom() + " to " + s.getTo() + " in " + s.getLengthNs() + " ns is not a stage");
      }
      stages.add(new Stage(s.getFrom(), s.getTo(), s.getLengthNs()));
    }
    return List.copyOf(stages);
  }

  private static boolean isLoad(double value) {
    return value >= 0 && !Double.isInfinite(value);
  }

  /** A closed load's stages are calls in flight. */
  private static void checkRamp(Schedule schedule, int slots) throws FaultException {
    if (schedule.calls() > 0) {
      throw new FaultException("begin.calls", "a closed load with stages needs a duration");
    }
    long max = schedule.maxInFlight();
    if (max > slots) {
      throw new FaultException(
          "begin.load.stages", max + " calls in flight are more than the connections' " + slots);
    }
  }

  /** Returns where one stage follows another, without edges closer than an interval: windows begin there. */
  static long[] edges(List<Stage> stages) {
    LongStream.Builder edges = LongStream.builder();
    long last = 0;
    long end = 0;
    for (Stage stage : stages.subList(0, Math.max(0, stages.size() - 1))) {
      end += stage.lengthNs();
      if (end - last >= Reporter.INTERVAL_NS) {
        edges.add(end);
        last = end;
      }
    }
    return edges.build().toArray();
  }

  /** How long an Interval is to be. */
  static long intervalNs(Begin c) {
    return c.getIntervalNs() == 0 ? Reporter.INTERVAL_NS : c.getIntervalNs();
  }

  static boolean warmsUp(Begin c) {
    return c.getPhase() == Phase.PHASE_WARMUP;
  }
}
