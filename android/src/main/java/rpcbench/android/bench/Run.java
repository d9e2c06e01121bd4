package rpcbench.android.bench;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.json.JSONException;
import org.json.JSONObject;
import rpcbench.android.stack.Stacks;
import rpcbench.stack.CallException;
import rpcbench.worker.v1.Worker.Connected;
import rpcbench.worker.v1.Worker.Done;
import rpcbench.worker.v1.Worker.Interval;
import rpcbench.worker.v1.Worker.Phase;
import rpcbench.worker.v1.Worker.Snapshot;

/** Measures points one after another into a results file. One thread runs it; any may cancel it. */
public final class Run {
  /** Hears how it goes, on the thread that runs it. */
  public interface Listener {
    /** Trial i, from 0, begins. */
    void begun(int i, Point point);

    /** So many calls a second were answered lately; warming before the measured phase. */
    void progress(boolean warming, double perSec);

    /** A trial has ended: with figures, or with why it failed. */
    void ended(Point point, Figures figures, String failure);
  }

  private final List<ResultsFile.Planned> plan = new ArrayList<>();
  private final Device device;
  private volatile boolean cancelled;
  private volatile Session session; // of the trial that runs
  private boolean away; // in the background; under this object's lock, as what follows
  private boolean left; // during the trial that runs

  public Run(Device device) {
    this.device = device;
  }

  /** Adds a point of a case, by the case's title. */
  public void add(Point point, String title) {
    plan.add(new ResultsFile.Planned(point, title));
  }

  /** How many trials there are. */
  public int size() {
    return plan.size();
  }

  /** Measures all, until it is canceled. What was measured is in the file, whatever happens. */
  public void into(File file, Listener listener) throws IOException {
    try (Session asked = new Session(Stacks.make(), device);
        ResultsFile results = new ResultsFile(file, plan, asked.hello().getHost(), device)) {
      for (int i = 0; i < plan.size() && !cancelled; i++) {
        begin();
        listener.begun(i, plan.get(i).point());
        measure(plan.get(i), results, listener);
      }
    } catch (JSONException e) {
      throw new IOException("the results can't be written: " + e.getMessage(), e);
    }
  }

  private void measure(ResultsFile.Planned trial, ResultsFile results, Listener listener) throws IOException, JSONException {
    String started = ResultsFile.utc();
    String failure = null;
    Measured measured = null;
    try (Session worker = new Session(Stacks.make(), device)) {
      session = worker;
      measured = measured(worker, trial.point(), listener);
      failure = measured.figures().ok() == 0 ? "no call was OK" + example(measured.done()) : null;
    } catch (IOException e) {
      failure = CallException.reason(e);
    } finally {
      session = null;
    }
    if (cancelled && measured == null) {
      return; // it was cancelled before it was measured
    }
    results.add(trial, started, measured == null ? null : measured.evidence(), failure, cancelled);
    listener.ended(trial.point(), measured == null ? null : measured.figures(), failure);
  }

  private record Measured(JSONObject evidence, Figures figures, Done done) {}

  private Measured measured(Session worker, Point point, Listener listener) throws IOException, JSONException {
    Connected connected = worker.connect(point.connect());
    Done warmup = phase(worker, point, Phase.PHASE_WARMUP, interval -> listener.progress(true, perSec(interval)));
    Snapshot begin = worker.mark();
    List<Interval> intervals = new ArrayList<>();
    Done done = phase(worker, point, Phase.PHASE_MEASURED, interval -> {
      intervals.add(interval);
      listener.progress(false, perSec(interval));
    });
    if (wasLeft()) {
      throw new IOException("the app was in the background while calls were made, and Android slows such apps down");
    }
    Snapshot end = worker.mark();
    JSONObject evidence =
        Evidence.of(worker.hello(), point.stack(), connected, begin, end, warmup, done, intervals);
    return new Measured(evidence, Figures.of(connected, done), done);
  }

  private Done phase(Session worker, Point point, Phase phase, Consumer<Interval> hears) throws IOException {
    if (cancelled) {
      throw new IOException("it was cancelled");
    }
    return worker.run(point.begin(phase), hears);
  }

  private static double perSec(Interval interval) {
    return interval.getOk() * 1e9 / Math.max(1, interval.getEndNs() - interval.getStartNs());
  }

  private static String example(Done done) {
    for (var outcome : done.getOutcomesList()) {
      if (!outcome.getExample().isEmpty()) {
        return ": " + outcome.getCode() + ": " + outcome.getExample();
      }
    }
    return "";
  }

  /** Whether it was cancelled. */
  public boolean isCancelled() {
    return cancelled;
  }

  /** The app goes to the background: the trial that runs then fails, and so does each that begins before it is back. */
  public synchronized void leave() {
    away = true;
    left = true;
  }

  /** The app is back. */
  public synchronized void comeBack() {
    away = false;
  }

  private synchronized void begin() {
    left = away;
  }

  private synchronized boolean wasLeft() {
    return left;
  }

  /** Ends it: the trial that runs keeps what it has measured, if it is in its measured phase. */
  public void cancel() {
    cancelled = true;
    Session worker = session;
    if (worker != null) {
      try {
        worker.stop();
      } catch (IOException e) {
        System.err.println("the worker has ended already: " + e.getMessage());
      }
    }
  }
}
