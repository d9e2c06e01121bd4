import { create } from "@bufbuild/protobuf";
import {
  type Begin, type Command, type Connect, FaultSchema, HelloSchema, type Host, SnapshotSchema, type Stop,
} from "../../gen/rpcbench/worker/v1/worker_pb";
import { checkConnect } from "./check";
import { checkBegin, Client } from "./client";
import { nowNs } from "./clock";
import type { Event } from "./pipe";
import { codecJS } from "./stack/codec/codec";
import { connectWeb, connectWebJSON, grpcWeb } from "./stack/connect";
import { fetchJSON } from "./stack/json";
import { FaultError, type Stack } from "./stack/stack";

export const stacks: Stack[] = [connectWeb, connectWebJSON, grpcWeb, fetchJSON, codecJS];

/** Facts about the machine. */
export interface Surroundings {
  runtime: string;
  processors: number;
  clockStepNs: number; // the step of the clock
  host: Partial<Omit<Host, "$typeName" | "$unknown">>;
}

/** What a worker in a page is told by it, as it can't ask for it itself. */
export interface PageState {
  hidden: boolean;
  batteryLevel?: number; // 0 to 1; not all browsers report it
}

/** The warm-up that a just-in-time compiler needs: figures are stable after about a second of calls. */
const leastWarmupNs = 1_000_000_000n;

/** Executes the commands of worker.v1, one after another. A phase does not delay them. */
export class Conversation {
  private client: Client | undefined;
  private busy: Promise<void> = Promise.resolve();
  private wasHidden = false; // the page, at some time in the current phase
  private readonly begunNs = nowNs();

  constructor(private readonly send: (event: Event) => void, private page: PageState) {}

  hello({ runtime, processors, clockStepNs, host }: Surroundings): void {
    this.send({
      case: "hello",
      value: create(HelloSchema, {
        protocol: 1, runtime, processors, leastWarmupNs, stopDrain: true, embedded: true, clockStepNs: BigInt(clockStepNs), host: { ...host, unixNs: BigInt(Date.now()) * 1_000_000n },
        stacks: stacks.map(({ caller: _, ...info }) => ({ ...info, calls: true, multiplexed: true })),
      }),
    });
  }

  /** Executes a command after the previous ones. */
  obey(command: Command): Promise<void> {
    this.busy = this.busy.then(() => this.answer(command)).catch((error: unknown) => this.fault(command, error));
    return this.busy;
  }

  /** Receives the state of the page. A phase in which it is hidden ends with a Fault. */
  notice(page: PageState): void {
    this.page = page;
    this.wasHidden ||= page.hidden;
  }

  private async answer({ command }: Command): Promise<void> {
    switch (command.case) {
      case "connect": return this.connect(command.value);
      case "begin": return this.begin(command.value);
      case "mark": return this.send({
        case: "snapshot", value: create(SnapshotSchema, {
          timeNs: BigInt(nowNs() - this.begunNs), ...(this.page.batteryLevel === undefined ? {} : { batteryLevel: this.page.batteryLevel }),
        }),
      });
      case "stop": return this.stop(command.value);
      case undefined: throw new FaultError("command", "it is not known");
      default: throw new FaultError("command", "a browser calls, and does nothing else");
    }
  }

  private async connect(connect: Connect): Promise<void> {
    if (this.client) throw new FaultError("connect", "there was a Connect before");
    const stack = checkConnect(stacks, connect);
    this.client = await Client.open(stack, connect);
    this.send({ case: "connected", value: this.client.connected() });
  }

  private begin(begin: Begin): void {
    const client = this.client;
    if (!client) throw new FaultError("begin", "there was no Connect before it");
    if (client.running) throw new FaultError("begin", "the previous phase is still running");
    checkBegin(begin);
    this.wasHidden = this.page.hidden;
    client.run(begin, (interval) => this.send({ case: "interval", value: interval })).then((done) => {
      if (this.wasHidden) throw new FaultError("begin", "the page was hidden while calls were made, and browsers slow hidden pages down");
      this.send({ case: "done", value: done });
    }).catch((error: unknown) => this.sendFault("begin", error));
  }

  private stop({ drainNs }: Stop): void {
    if (drainNs !== undefined && drainNs < 0n) throw new FaultError("stop.drain_ns", "it is negative");
    this.client?.stop(drainNs === undefined ? undefined : Number(drainNs));
  }

  private fault({ command }: Command, error: unknown): void {
    this.sendFault(command.case ?? "command", error);
  }

  private sendFault(command: string, error: unknown): void {
    const known = error instanceof FaultError;
    this.send({
      case: "fault",
      value: create(FaultSchema, {
        field: known ? error.field : command, message: error instanceof Error ? error.message : String(error),
      }),
    });
  }
}
