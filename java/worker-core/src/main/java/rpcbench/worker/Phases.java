package rpcbench.worker;

import java.util.List;
import rpcbench.host.Host;
import rpcbench.load.Phase;
import rpcbench.load.Schedule;
import rpcbench.load.Tally;
import rpcbench.record.Recorder;
import rpcbench.stack.CallException;
import rpcbench.worker.v1.Worker.Begin;
import rpcbench.worker.v1.Worker.Event;
import rpcbench.worker.v1.Worker.Stop;

/** Runs the phases of a client, one at a time. Safe for concurrent use. */
final class Phases {
  private static final int SHARDS_PER_PROCESSOR = 2;

  /** As many as a driver asks for, unless it keeps each second itself. */
  private static final int WINDOWS = 20;

  private static final long[] NO_EDGES = {};

  private final Client client;
  private final Events events;
  private final Recorder recorder;
  private final MixSink mixed; // null without a mix
  private Phase running; // null without one

  /** Allocates the memory that phases need, before anything is measured. */
  Phases(Client client, Events events) {
    this.client = client;
    this.events = events;
    this.recorder = new Recorder(Math.min(client.pool().size(), SHARDS_PER_PROCESSOR * Host.processors()));
    this.mixed = client.mixedCalls() == 0 ? null : new MixSink(recorder, client.mixedCalls());
    settle();
  }

  /** Clears, allocates and collects everything now, so that nothing of it happens in the next phase or between its Marks. */
  private void settle() {
    recorder.begin(false, WINDOWS, NO_EDGES);
    if (mixed != null) {
      mixed.begin();
    }
    System.gc();
  }

  /** Starts a phase, which sends its Intervals and its Done itself. */
  synchronized void begin(Begin c) throws FaultException {
    Schedule schedule = BeginCheck.schedule(c, client.pool().size());
    if (running != null) {
      throw new FaultException("begin", "the previous phase is still running");
    }
    try {
      running = client.pool().begin(schedule, c.getDrainNs(), mixed == null ? recorder : mixed);
    } catch (IllegalStateException e) {
      throw new FaultException("begin", CallException.reason(e));
    }
    long[] edges = BeginCheck.edges(schedule.stages());
    recorder.begin(schedule.open(), c.getWindows(), edges);
    if (mixed != null) {
      mixed.begin();
    }
    if (client.background() != null) {
      client.background().begin();
    }
    Phase phase = running;
    Threads.start("rpcbench-phase", () -> finish(run(c, edges, phase)));
  }

  synchronized boolean running() {
    return running != null;
  }

  /** Ends the running phase early; due calls are still sent and drained. */
  synchronized void stop(Stop c) {
    if (running == null) {
      return;
    }
    if (c.hasDrainNs()) {
      running.stop(c.getDrainNs());
    } else {
      running.stop();
    }
  }

  /** Cuts the running phase off. */
  synchronized void abort() {
    if (running != null) {
      running.abort();
    }
  }

  /** Runs the phase to its end, with its reports. Every failure is answered, because the driver is waiting. */
  private Event run(Begin c, long[] edges, Phase phase) {
    try {
      phase.await(c.getDelayNs());
      Reporter reporter = new Reporter(client.pool(), recorder, events, c, edges);
      Tally tally;
      try {
        reporter.begin();
        tally = phase.run();
      } finally {
        reporter.end();
      }
      Event done = Conclusion.of(
          client, c, tally, recorder.summary(), mixed == null ? List.of() : mixed.summaries());
      if (BeginCheck.warmsUp(c)) {
        settle();
      }
      return done;
    } catch (FaultException e) {
      return e.event();
    } catch (InterruptedException | RuntimeException | Error e) {
      return new FaultException("", "the phase failed: " + CallException.reason(e)).event();
    }
  }

  private void finish(Event answer) {
    synchronized (this) {
      running = null; // before the driver can answer
    }
    events.offer(answer);
  }
}
