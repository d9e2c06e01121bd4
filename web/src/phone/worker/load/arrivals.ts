import type { Begin } from "../../../gen/rpcbench/worker/v1/worker_pb";
import { SplitMix64 } from "../random";

/** The due times of an open load's calls, in ns since the phase began: the sequence that worker.proto specifies. */
export class Arrivals {
  private readonly random: SplitMix64;
  private index = 0;
  private atNs = 0;

  /** Creates one part of several. With calls 0 only the duration ends it, and with duration 0 only the calls. */
  constructor(
    private readonly perSec: number, private readonly poisson: boolean, private readonly seed: bigint,
    private readonly durationNs: number, private readonly calls: number, private readonly part = 0, private readonly parts = 1,
  ) {
    this.random = new SplitMix64(seed);
  }

  static of(begin: Begin): Arrivals {
    const load = begin.load!;
    return new Arrivals(load.perSec, load.arrivals === "poisson", load.seed, Number(begin.durationNs), Number(begin.calls),
      load.part, Math.max(load.parts, 1));
  }

  /** The part's next due time; undefined after the last. */
  next(): number | undefined {
    for (;;) {
      const own = this.index % this.parts === this.part;
      const due = this.following();
      if (own || due === undefined) return due;
    }
  }

  private following(): number | undefined {
    if (this.calls > 0 && this.index >= this.calls) return undefined;
    if (this.poisson) this.atNs += this.random.exponential() * 1e9 / this.perSec;
    else this.atNs = this.index * 1e9 / this.perSec;
    this.index++;
    return this.durationNs > 0 && this.atNs >= this.durationNs ? undefined : Math.floor(this.atNs);
  }

  /** Returns how long arrivals are due: the duration, or the time until one more call than their number would be due. */
  windowNs(): number {
    return this.durationNs > 0 ? this.durationNs : new Arrivals(this.perSec, this.poisson, this.seed, 0, this.calls + 1).last();
  }

  /** Returns the last due time, and consumes the sequence. */
  last(): number {
    let last = 0;
    for (let due = this.next(); due !== undefined; due = this.next()) last = due;
    return last;
  }

  /** Returns when the last call is due: after the duration, or with the last of the calls. */
  endNs(): number {
    if (this.durationNs > 0) return this.durationNs;
    return new Arrivals(this.perSec, this.poisson, this.seed, 0, this.calls, this.part, this.parts).last();
  }
}
