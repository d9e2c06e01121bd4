import type { Begin } from "../../../gen/rpcbench/worker/v1/worker_pb";
import { turn } from "../clock";
import { SplitMix64 } from "../random";

/** The due times of an open load's calls, in ns since the phase began: the sequence that worker.proto specifies. */
export class Arrivals {
  private readonly random: SplitMix64;
  private index = 0;
  private atNs = 0;

  /** Creates one part of several. With calls 0 only the duration ends it, and with duration 0 only the calls. */
  constructor(
    private readonly perSec: number, private readonly poisson: boolean, seed: bigint,
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
}

/** The number of arrivals that are read before the browser has its turn: a few ms. */
const readAtOnce = 1 << 12;

/** How long a phase's arrivals are due. It is found before the phase begins, as calls that are due meanwhile would be late. */
export class Span {
  private constructor(
    /** The duration, or the time until one more call than the number of all parts would be due. */
    readonly windowNs: number,
    /** The duration, or when the part's last call is due. */
    readonly endNs: number,
  ) {}

  /** Random arrivals with a number of calls are read one after another, which ends when stopped() is true: it is incomplete then. */
  static async of(begin: Begin, stopped: () => boolean): Promise<Span> {
    const load = begin.load!;
    const durationNs = Number(begin.durationNs), calls = Number(begin.calls), parts = Math.max(load.parts, 1);
    if (durationNs > 0) return new Span(durationNs, durationNs);
    if (load.arrivals === "poisson") {
      return Span.read(new Arrivals(load.perSec, true, load.seed, 0, calls + 1), calls, load.part, parts, stopped);
    }
    const last = calls - 1 - (calls - 1 - load.part + parts) % parts;
    return new Span(Math.floor(calls * 1e9 / load.perSec), Math.max(0, Math.floor(last * 1e9 / load.perSec)));
  }

  private static async read(all: Arrivals, calls: number, part: number, parts: number, stopped: () => boolean): Promise<Span> {
    let windowNs = 0, endNs = 0, index = 0;
    for (let due = all.next(); due !== undefined; due = all.next(), index++) {
      windowNs = due;
      if (index < calls && index % parts === part) endNs = due;
      if (index % readAtOnce !== readAtOnce - 1) continue;
      await turn();
      if (stopped()) break;
    }
    return new Span(windowNs, endNs);
  }
}
