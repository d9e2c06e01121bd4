import type { Begin } from "../../../gen/rpcbench/worker/v1/worker_pb";
import { nowNs, turn, until } from "../clock";
import type { Recorder, Sample } from "../record/recorder";
import { CallError, type Caller } from "../stack/stack";
import { Arrivals, Span } from "./arrivals";

/** The result of a phase, besides its recorder's. Times are ns since it began. */
export interface Tally {
  elapsedNs: number; // to the last completion
  windowNs: number; // how long calls were due
  arrivals: number;
  stoppedNs: number; // when a Stop ended the load; 0 if none did
  lateOK: number; // that ended after the window
}

/** Makes one call at a time. */
class Slot {
  calls = 0;
  lastNs = 0; // when its last call ended
  freeNs = 0; // since when it is idle
  flight: { dueNs: number; sentNs: number; abort: AbortController; late: boolean; cut: boolean } | undefined;

  constructor(readonly caller: Caller) {}
}

const tickMinNs = 1e6;
const tickMaxNs = 100e6;
/** The time after which calls that never wait yield to the browser. */
const breathNs = 10e6;

/**
 * Makes the calls of one phase when they are due, and records each outcome. Nothing waits on a server: a late call keeps
 * its due time, and calls without an answer at the end of the drain are reported as such.
 */
export class Phase {
  private readonly slots: Slot[];
  private readonly arrivals: Arrivals | undefined; // of an open load
  private begunNs = 0;
  private endNs: number; // no call is due from here on
  private lateNs: number; // a call that ends after it is late; Infinity where the window is known only at the end
  private cutNs = Infinity; // nothing is waited for from here on
  private cutting: ReturnType<typeof setTimeout> | undefined; // cutOff's
  private ended = false;
  private over = false; // it was cut
  private foreseenNs = 0; // the window of an open load with a number of calls
  private forestalled = false; // it was stopped before it began
  private stoppedNs = 0;
  private made = 0; // arrivals so far
  private readonly maxCalls: number; // calls of a closed load; Infinity has none
  private due: number | undefined; // of the next arrival
  private idle: Slot[] = []; // those that have been free for longest come first
  private freed: () => void = () => {};
  private breath = 0;
  private okLate = 0;
  private lastDoneNs = 0;
  private drainNs: number;

  constructor(
    callers: Caller[], private readonly begin: Begin, private readonly recorder: Recorder, private readonly deadlineNs: number,
  ) {
    this.slots = callers.map((caller) => new Slot(caller));
    this.drainNs = Number(begin.drainNs);
    const load = begin.load!;
    const parts = Math.max(load.parts, 1);
    this.maxCalls = begin.calls > 0n ? Math.floor((Number(begin.calls) + parts - 1 - load.part) / parts) : Infinity;
    this.endNs = this.lateNs = begin.durationNs > 0n ? Number(begin.durationNs) : Infinity;
    if (load.arrivals !== "closed") this.arrivals = Arrivals.of(begin);
  }

  /** Computes when an open load ends, before run. A Stop need not wait for it. */
  async foresee(): Promise<void> {
    if (!this.arrivals || this.begin.durationNs > 0n) return;
    const span = await Span.of(this.begin, () => this.forestalled);
    this.lateNs = this.foreseenNs = span.windowNs;
    this.endNs = span.endNs + 1; // the last call is due before it
  }

  get inFlight(): number {
    return this.slots.filter((slot) => slot.flight).length;
  }

  now(): number {
    return nowNs() - this.begunNs;
  }

  /** Runs it to its end. An open load with a number of calls is foreseen first. */
  async run(): Promise<Tally> {
    this.begunNs = this.breath = nowNs();
    if (this.forestalled) return { elapsedNs: 0, windowNs: 0, arrivals: 0, stoppedNs: 0, lateOK: 0 };
    this.cutNs = this.endNs + this.drainNs;
    const watching = setInterval(() => this.watch(), Math.min(Math.max(this.deadlineNs / 20, tickMinNs), tickMaxNs) / 1e6);
    try {
      await Promise.race([this.arrivals ? this.open() : this.closed(), this.cutOff()]);
    } finally {
      clearInterval(watching);
      this.ended = true;
      clearTimeout(this.cutting);
    }
    this.abandon();
    return this.tally();
  }

  /** Ends the load if it has calls to come: due calls are still sent and answered, for at most drainNs if it is given. */
  stop(drainNs = Infinity): void {
    if (this.begunNs === 0) {
      this.forestalled = true;
      return;
    }
    const now = this.now();
    if (this.stoppedNs === 0 && this.goesOn(now)) {
      this.stoppedNs = Math.max(now, 1); // 0 is a phase that was not stopped
      this.endNs = this.lateNs = now;
    }
    this.drainNs = Math.min(this.drainNs, drainNs);
    this.cutNs = Math.min(this.cutNs, now + this.drainNs);
    this.freed();
  }

  private goesOn(now: number): boolean {
    return now < this.endNs && (this.arrivals ? this.isDue() : this.made < this.maxCalls);
  }

  /** Comes when nothing is waited for any more; not after the end of a phase that was not cut. */
  private async cutOff(): Promise<void> {
    while (this.now() < this.cutNs) {
      await new Promise((resolve) => {
        this.cutting = setTimeout(resolve, Math.min(Math.max((this.cutNs - this.now()) / 1e6, 1), 20));
      });
      if (this.ended) return;
    }
    this.over = true;
    this.freed();
  }

  private async closed(): Promise<void> {
    await Promise.all(this.slots.map(async (slot) => {
      while (!this.over && this.made < this.maxCalls) {
        const now = this.now();
        if (now >= this.endNs) return;
        this.made++;
        await this.make(slot, now, 0, now);
        await this.breathe();
      }
    }));
  }

  /** A call that never waits would keep the browser from everything else. */
  private async breathe(): Promise<void> {
    if (nowNs() - this.breath < breathNs) return;
    await turn();
    this.breath = nowNs();
  }

  private async open(): Promise<void> {
    this.due = this.arrivals!.next();
    this.idle = [...this.slots];
    const calls = new Set<Promise<void>>();
    while (!this.over && this.isDue()) {
      if (this.idle.length === 0) {
        await new Promise<void>((resolve) => { this.freed = resolve; });
        continue;
      }
      await until(this.begunNs + this.due!, () => this.over || !this.isDue());
      const slot = this.idle[0];
      if (this.over || !this.isDue() || !slot || this.due! > this.now()) continue;
      this.idle.shift();
      const turnOf = this.follow(slot);
      calls.add(turnOf);
      void turnOf.finally(() => calls.delete(turnOf));
      await this.breathe();
    }
    await Promise.all(calls);
  }

  /** Whether there is an arrival to come. */
  private isDue(): boolean {
    return this.due !== undefined && this.due < this.endNs;
  }

  /** Makes the call that is due, and then those that have become overdue. */
  private async follow(slot: Slot): Promise<void> {
    for (let free = slot.freeNs; ;) {
      const due = this.due!;
      this.due = this.arrivals!.next();
      this.made++;
      await this.make(slot, due, Math.max(0, free - due), Math.max(due, free));
      slot.freeNs = free = this.now();
      if (this.over || !this.isDue() || this.due! > free) break;
      if (this.idle.length > 0) free = this.idle[0]!.freeNs; // the pacer is late: an idle slot might have had it
    }
    this.idle.push(slot);
    this.freed();
  }

  private async make(slot: Slot, dueNs: number, queueNs: number, readyNs: number): Promise<void> {
    const sentNs = this.arrivals ? this.now() : dueNs;
    const flight = { dueNs, sentNs, abort: new AbortController(), late: false, cut: false };
    slot.flight = flight;
    let failure: CallError | undefined;
    try {
      await slot.caller.call(flight.abort.signal);
    } catch (error) {
      failure = error instanceof CallError ? error : new CallError("INTERNAL", String(error));
    }
    const doneNs = this.now();
    if (flight.cut) return; // it was reported already
    slot.flight = undefined;
    if (flight.late) failure = new CallError("DEADLINE_EXCEEDED", "the call took longer than its deadline");
    failure ??= slot.caller.check();
    slot.calls++;
    slot.lastNs = this.lastDoneNs = doneNs;
    if (!failure && doneNs > this.lateNs) this.okLate++;
    const sample: Sample = { dueNs, sentNs, doneNs, queueNs, wakeNs: Math.max(0, sentNs - readyNs) };
    this.recorder.record(sample, failure);
  }

  /** Cancels calls that are past their deadline. */
  private watch(): void {
    const now = this.now();
    for (const { flight } of this.slots) {
      if (!flight || flight.late || now - flight.sentNs < this.deadlineNs) continue;
      flight.late = true;
      flight.abort.abort();
    }
  }

  /** Reports calls that were not sent or not answered when the drain ended. */
  private abandon(): void {
    const now = this.now();
    for (const { flight } of this.slots) {
      if (!flight) continue;
      flight.cut = true;
      flight.abort.abort();
      this.recorder.bound("UNFINISHED", now - flight.dueNs);
    }
    for (; this.arrivals && this.isDue(); this.due = this.arrivals.next()) {
      this.made++;
      this.recorder.bound("UNSENT", Math.max(0, now - this.due!));
    }
  }

  private tally(): Tally {
    return {
      elapsedNs: Math.max(this.lastDoneNs, this.slots.some((s) => s.flight) ? this.now() : 0), windowNs: this.windowNs(),
      arrivals: this.made, stoppedNs: this.stoppedNs, lateOK: this.okLate,
    };
  }

  /** How long calls were due: see Done.window_ns. */
  private windowNs(): number {
    if (this.stoppedNs > 0) return Math.round(this.endNs);
    if (this.begin.durationNs > 0n) return Number(this.begin.durationNs);
    if (this.arrivals) return this.foreseenNs;
    const perNs = this.slots.reduce((sum, slot) => sum + (slot.lastNs > 0 ? slot.calls / slot.lastNs : 0), 0);
    return perNs > 0 ? Math.round(this.slots.reduce((sum, slot) => sum + slot.calls, 0) / perNs) : Math.round(this.now());
  }
}
