// Encoding and decoding without a server: a call is a calibrated number of operations on one message.
import type { Call } from "../../../../gen/rpcbench/worker/v1/worker_pb";
import { nowNs, turn } from "../../clock";
import { CallError, type Caller, FaultError, type Stack } from "../stack";
import { contentsOf, messageNames } from "./message";
import { codecs, gunzip, gzip, type Operations } from "./operations";

declare const PROTOBUF_VERSION: string;

export const codecJS: Stack = {
  name: "codec-js", protocol: "codec", library: `@bufbuild/protobuf ${PROTOBUF_VERSION}, JSON of the browser`,
  kinds: ["encode", "decode"], networks: [], securities: [], compressions: [], messages: messageNames, codecs: Object.keys(codecs),
  caller: (_, call) => prepare(call),
};

/** The parts of a call. Between them it checks whether it was canceled, and yields to the browser if it takes long. */
const stretches = 64;
const breathNs = 50e6;

async function prepare(call: Call): Promise<Caller> {
  const operations = codecs[call.codec]!(contentsOf(call.message, call.seed));
  const encoded = await operations.encode();
  if (!operations.same(await operations.decode(encoded))) {
    throw new FaultError("connect.call.codec", `${call.codec} of ${call.message}: the message changed by encoding and decoding`);
  }
  const work = new Work(operations, encoded, call.kind === "decode");
  const repeat = await calibrate(Number(call.sampleNs), (n) => work.run(n));
  const plain = operations.gzipped ? (await gunzip(encoded)).length : encoded.length;
  const packed = operations.gzipped ? encoded.length : (await gzip(encoded)).length;
  return {
    codec: {
      repeat: BigInt(repeat), encodedBytes: BigInt(encoded.length), gzippedBytes: BigInt(packed), plainBytes: BigInt(plain),
    },
    call: (signal) => work.call(repeat, signal),
    check: () => work.check(),
  };
}

/** Performs operations and keeps the last result, so that none can be optimized away. */
class Work {
  private wrote: Uint8Array | undefined;
  private read: unknown;

  constructor(private readonly operations: Operations, private readonly encoded: Uint8Array, private readonly decodes: boolean) {}

  async call(repeat: number, signal: AbortSignal): Promise<void> {
    const stretch = Math.max(1, Math.floor(repeat / stretches));
    let breath = nowNs();
    for (let left = repeat; left > 0; left -= stretch) {
      if (signal.aborted) throw new CallError("CANCELLED", "the call was cancelled");
      const pending = this.run(Math.min(stretch, left));
      if (pending) await pending;
      if (nowNs() - breath > breathNs) {
        await turn();
        breath = nowNs();
      }
    }
  }

  /** Performs n operations. If it returns a promise, await it. */
  run(n: number): Promise<void> | undefined {
    if (this.operations.gzipped) return this.runAwaiting(n);
    for (let i = 0; i < n; i++) {
      if (this.decodes) this.read = this.operations.decode(this.encoded);
      else this.wrote = this.operations.encode() as Uint8Array;
    }
    return undefined;
  }

  private async runAwaiting(n: number): Promise<void> {
    for (let i = 0; i < n; i++) {
      if (this.decodes) this.read = await this.operations.decode(this.encoded);
      else this.wrote = await this.operations.encode();
    }
  }

  check(): CallError | undefined {
    const { wrote, read } = this;
    this.wrote = this.read = undefined;
    const wrong = wrote ? !sameBytes(wrote, this.encoded) : !this.operations.same(read);
    return wrong ? new CallError("MISMATCH", "the last result differs from the first") : undefined;
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

const warmupOperations = 100;
const timedMaxNs = 2e9;

/** Returns how many operations take as long as a sample: their number doubles until they take a fifth of it twice in a row. */
async function calibrate(sampleNs: number, run: (n: number) => Promise<void> | undefined): Promise<number> {
  const enough = Math.min(sampleNs / 5, timedMaxNs);
  const timed = async (n: number) => {
    const begun = nowNs();
    const pending = run(n);
    if (pending) await pending;
    return nowNs() - begun;
  };
  let warm = 0;
  for (let i = 0; i < warmupOperations && warm < enough; i++) warm += await timed(1);
  for (let n = 1; ; n *= 2) {
    let elapsed = await timed(n);
    if (elapsed < enough) continue;
    elapsed = Math.min(elapsed, await timed(n));
    if (elapsed >= enough) return Math.max(1, Math.floor(n * sampleNs / elapsed));
  }
}
