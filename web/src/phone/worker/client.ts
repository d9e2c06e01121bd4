import { create } from "@bufbuild/protobuf";
import {
  type Begin, type Connect, type Connected, ConnectedSchema, type Done, DoneSchema, type Interval,
} from "../../gen/rpcbench/worker/v1/worker_pb";
import { nowNs, until } from "./clock";
import { Phase, type Tally } from "./load/phase";
import { Reporter } from "./load/reporter";
import { Recorder } from "./record/recorder";
import { type Caller, FaultError, type Stack } from "./stack/stack";

/** The client of a trial: its calls, phase after phase. */
export class Client {
  private phase: Phase | undefined;
  private stopped = false; // before the phase that was asked for began

  private constructor(private readonly connect: Connect, private readonly callers: Caller[]) {}

  static async open(stack: Stack, connect: Connect): Promise<Client> {
    const callers: Caller[] = [];
    for (let slot = 0; slot < connect.connections * connect.inFlight; slot++) {
      callers.push(await stack.caller(connect, connect.call!));
    }
    return new Client(connect, callers);
  }

  /** The browser opens sockets itself and does not report them. */
  connected(): Connected {
    const codec = this.callers[0]?.codec;
    return create(ConnectedSchema, codec ? { codec } : {});
  }

  get running(): boolean {
    return this.phase !== undefined;
  }

  /** Runs a phase, and returns its counts. */
  async run(begin: Begin, send: (interval: Interval) => void): Promise<Done> {
    const open = begin.load!.arrivals !== "closed";
    const recorder = new Recorder(open, begin.windows);
    const phase = new Phase(this.callers, begin, recorder, Number(this.connect.call!.deadlineNs));
    this.phase = phase;
    this.stopped = false;
    const received = nowNs();
    await phase.foresee();
    await until(received + Number(begin.delayNs), () => this.stopped);
    const reporter = new Reporter(phase, recorder, begin, send);
    const running = phase.run();
    reporter.start();
    const tally = await running;
    reporter.end();
    this.phase = undefined;
    return this.conclude(begin, tally, recorder);
  }

  stop(drainNs?: number): void {
    this.stopped = true;
    this.phase?.stop(drainNs);
  }

  private conclude(begin: Begin, tally: Tally, recorder: Recorder): Done {
    const call = this.connect.call!;
    const summary = recorder.summary();
    const carries = call.codec === "" && call.kind !== "first_call";
    const messagesIn = !carries ? 0 : call.kind === "download" ? call.messages : 1;
    const carried = (ok: number) => ({
      messagesOut: BigInt(carries ? ok : 0), messagesIn: BigInt(ok * messagesIn),
      payloadBytesOut: BigInt(carries ? ok * call.requestBytes : 0), payloadBytesIn: BigInt(ok * messagesIn * call.responseBytes),
    });
    return create(DoneSchema, {
      phase: begin.phase, elapsedNs: BigInt(Math.round(tally.elapsedNs)), arrivals: BigInt(tally.arrivals),
      windowNs: BigInt(tally.windowNs), stoppedNs: BigInt(Math.round(tally.stoppedNs)), clamped: BigInt(summary.clamped),
      outcomes: summary.outcomes.map((o) => ({ ...o, calls: BigInt(o.calls) })),
      ...carried(summary.okCalls),
      ...(tally.lateOK > 0 ? { tail: { ok: BigInt(tally.lateOK), ...carried(tally.lateOK) } } : {}),
      histograms: [...summary.histograms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, h]) => ({ name, v2Compressed: h.encode() })),
      windows: summary.windows.length < 2 ? [] : summary.windows.map((w) => ({
        startNs: BigInt(w.startNs), endNs: BigInt(w.endNs), response: w.response.encode(),
      })),
    });
  }
}

/** Refuses a phase that can't be made as asked. */
export function checkBegin(begin: Begin): void {
  const load = begin.load;
  const refuse = (wrong: boolean, field: string, why: string) => {
    if (wrong) throw new FaultError(field, why);
  };
  refuse(!load, "begin.load", "there is none");
  refuse(!["closed", "constant", "poisson"].includes(load!.arrivals), "begin.load.arrivals", `there is no "${load!.arrivals}"`);
  const open = load!.arrivals !== "closed";
  refuse(open && !(load!.perSec > 0 && Number.isFinite(load!.perSec)), "begin.load.per_sec", `${load!.perSec} is not above 0`);
  refuse(!open && load!.perSec !== 0, "begin.load.per_sec", "a closed load has no rate");
  refuse(load!.stages.length > 0, "begin.load.stages", "its loads do not change over time");
  refuse(load!.part >= Math.max(load!.parts, 1), "begin.load.part", `${load!.part} is not below ${load!.parts} parts`);
  refuse(begin.durationNs < 0n, "begin.duration_ns", "it is negative");
  refuse(begin.calls < 0n, "begin.calls", "it is negative");
  refuse((begin.durationNs > 0n) === (begin.calls > 0n), "begin.duration_ns", "exactly one of duration_ns and calls is given");
  refuse(begin.drainNs < 0n, "begin.drain_ns", "it is negative");
  refuse(begin.delayNs < 0n, "begin.delay_ns", "it is negative");
  refuse(begin.windows > 50, "begin.windows", `${begin.windows} is more than 50`);
  refuse(begin.phase === 0, "begin.phase", "it is not given");
  refuse(begin.intervalNs !== 0n && begin.intervalNs < 5_000_000n, "begin.interval_ns", "it must be at least 5 ms");
}
