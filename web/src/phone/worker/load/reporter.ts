import { create } from "@bufbuild/protobuf";
import { type Begin, type Interval, IntervalSchema } from "../../../gen/rpcbench/worker/v1/worker_pb";
import type { Histogram } from "../record/histogram";
import type { Recorder } from "../record/recorder";
import type { Phase } from "./phase";

const usualNs = 100e6;
const secondNs = 1e9;

/** Reports on a running phase: the calls that ended in each interval, and in each second. */
export class Reporter {
  private readonly lengthNs: number;
  private intervalNs = 0; // when the open one began
  private secondBegan = 0;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly phase: Phase, private readonly recorder: Recorder, private readonly begin: Begin,
    private readonly send: (interval: Interval) => void,
  ) {
    this.lengthNs = Number(begin.intervalNs) || usualNs;
  }

  start(): void {
    this.timer = setInterval(() => this.tick(false), this.lengthNs / 1e6);
  }

  /** Reports the last interval, when nothing more is recorded. */
  end(): void {
    clearInterval(this.timer);
    this.tick(true);
  }

  private tick(last: boolean): void {
    const counts = this.recorder.tick();
    const now = Math.max(this.phase.now(), this.intervalNs);
    const interval = create(IntervalSchema, {
      startNs: BigInt(this.intervalNs), endNs: BigInt(now), ok: BigInt(counts.ok), errors: BigInt(counts.errors),
      inFlight: BigInt(this.phase.inFlight), responseMeanNs: BigInt(counts.responseMeanNs),
    });
    if (last || now - this.secondBegan >= secondNs - this.lengthNs / 2) {
      const full = this.recorder.endSecond(now);
      interval.response = quantilesOf(full);
      if (this.begin.intervalHistograms) interval.responseHistogram = full.encode();
      this.secondBegan = now;
    }
    this.intervalNs = now;
    this.send(interval);
  }
}

function quantilesOf(h: Histogram) {
  const at = (q: number) => BigInt(h.quantile(q));
  return {
    $typeName: "rpcbench.worker.v1.Quantiles" as const, calls: BigInt(h.calls), p50Ns: at(0.5), p90Ns: at(0.9), p99Ns: at(0.99), maxNs: at(1),
  };
}
