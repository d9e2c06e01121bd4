import type { CallError } from "../stack/stack";
import { Histogram } from "./histogram";
import { Series, type Window } from "./series";

/** The outcome of one arrival. Times are ns since the phase began. */
export interface Sample {
  dueNs: number;
  sentNs: number;
  doneNs: number;
  queueNs: number; // no slot was free
  wakeNs: number; // a slot was free, and the call was not sent: the instrument's fault
}

export interface Counts {
  ok: number;
  errors: number;
  responseMeanNs: number; // the geometric mean of OK calls; 0 if there are none
}

export interface Outcome {
  code: string;
  calls: number;
  example: string;
}

/** Records the outcomes of one phase's calls, in memory that does not grow with it. */
export class Recorder {
  /** The number of OK calls that ended after the window. */
  late = 0;
  private second = new Histogram();
  private readonly total = new Histogram();
  private readonly lags = { service: new Histogram(), wake: new Histogram(), queue: new Histogram() };
  private readonly bounds = new Histogram(); // of arrivals that were never answered; total has them too
  private readonly errors = new Histogram();
  private readonly outcomes = new Map<string, Outcome>();
  private readonly series: Series;
  private ok = 0;
  private failed = 0;
  private logs = 0;
  private seen = { ok: 0, failed: 0, logs: 0 };
  private secondNs = 0; // when the open second began

  /** An open load has service, wake and queue in addition to response. */
  constructor(private readonly open: boolean, windows: number) {
    this.series = new Series(windows);
  }

  record(s: Sample, failure: CallError | undefined): void {
    this.count(failure?.code ?? "OK", failure ? `${failure.code}: ${failure.message}` : "");
    const response = s.doneNs - s.dueNs;
    if (failure) {
      this.failed++;
      this.errors.record(response);
      return;
    }
    this.ok++;
    this.logs += Math.log(Math.max(response, 1));
    this.second.record(response);
    if (this.open) {
      this.lags.service.record(s.doneNs - s.sentNs);
      this.lags.wake.record(s.wakeNs);
      this.lags.queue.record(s.queueNs);
    }
  }

  /** Records an arrival without an answer: the time that it waited is a lower bound of its response. */
  bound(code: "UNSENT" | "UNFINISHED", responseNs: number): void {
    this.count(code, "");
    this.failed++;
    this.second.record(responseNs);
    this.bounds.record(responseNs);
  }

  private count(code: string, example: string): void {
    const outcome = this.outcomes.get(code);
    if (outcome) outcome.calls++;
    else this.outcomes.set(code, { code, calls: 1, example });
  }

  /** Returns what ended since the previous tick. */
  tick(): Counts {
    const { ok, failed, logs } = this.seen;
    this.seen = { ok: this.ok, failed: this.failed, logs: this.logs };
    const calls = this.ok - ok;
    return {
      ok: calls, errors: this.failed - failed,
      responseMeanNs: calls === 0 ? 0 : Math.round(Math.exp((this.logs - logs) / calls)),
    };
  }

  /** Ends a second and returns its responses, which are valid until the next second ends. */
  endSecond(endNs: number): Histogram {
    const full = this.second;
    this.series.add(this.secondNs, endNs, full);
    this.total.add(full);
    this.secondNs = endNs;
    this.second = new Histogram();
    return full;
  }

  /** Returns the totals, when nothing more is recorded and the last second has ended. */
  summary(): { outcomes: Outcome[]; histograms: Map<string, Histogram>; windows: Window[]; clamped: number; okCalls: number } {
    const histograms = new Map([["response", this.total]]);
    if (this.open) for (const [name, lag] of Object.entries(this.lags)) histograms.set(name, lag);
    if (this.errors.calls > 0) histograms.set("error", this.errors);
    const clamped = [...histograms.values()].reduce((sum, h) => sum + h.clamped, 0);
    if (this.bounds.calls > 0) histograms.set("bound", this.bounds); // clamped is counted once
    return { outcomes: [...this.outcomes.values()], histograms, windows: this.series.kept, clamped, okCalls: this.ok };
  }
}
