package rpcbench.worker;

import rpcbench.load.Schedule;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Load;
import rpcbench.worker.v1.Worker.Phase;

/** Reads the load of a Begin, and names the first field of it that can't be honoured. */
final class BeginCheck {
  private BeginCheck() {}

  static Schedule schedule(Begin c) throws FaultException {
    Load load = c.getLoad();
    boolean closed = load.getArrivals().equals("closed");
    boolean poisson = load.getArrivals().equals("poisson");
    if (!closed && !poisson && !load.getArrivals().equals("constant")) {
      throw new FaultException(
          "begin.load.arrivals", "\"" + load.getArrivals() + "\" is none of closed, constant, poisson");
    }
    if (closed != (load.getPerSec() == 0) || !(load.getPerSec() >= 0) || Double.isInfinite(load.getPerSec())) {
      throw new FaultException(
          "begin.load.per_sec", load.getPerSec() + " does not go with " + load.getArrivals());
    }
    if (load.getStagesCount() > 0) {
      throw new FaultException("begin.load.stages", "its load doesn't change over time");
    }
    if (c.getPhase() != Phase.PHASE_WARMUP && c.getPhase() != Phase.PHASE_MEASURED) {
      throw new FaultException("begin.phase", c.getPhaseValue() + " is no phase");
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
    long part = Integer.toUnsignedLong(load.getPart());
    long parts = Math.max(1, Integer.toUnsignedLong(load.getParts()));
    if (part >= parts) {
      throw new FaultException("begin.load.part", "there is no part " + part + " of " + parts);
    }
    return new Schedule(
        load.getPerSec(), poisson, load.getSeed(), c.getDurationNs(), c.getCalls(), part, parts);
  }

  static boolean warmsUp(Begin c) {
    return c.getPhase() == Phase.PHASE_WARMUP;
  }

  /** More windows than an int holds are as many as there may be, which is 0. */
  static int windows(Begin c) {
    return Math.max(0, c.getWindows());
  }
}
