import type { Call, Codec, Connect } from "../../../gen/rpcbench/worker/v1/worker_pb";

/** The failure of a call: the name of gRPC's code, or MISMATCH for a wrong reply. */
export class CallError extends Error {
  constructor(readonly code: string, message: string) {
    super(message);
  }
}

/** A field of a command that can't be satisfied. */
export class FaultError extends Error {
  constructor(readonly field: string, message: string) {
    super(message);
  }
}

/** Makes the calls of one slot, one at a time. */
export interface Caller {
  /** Makes a call, which is timed. A call that fails throws; one whose signal is aborted ends soon. */
  call(signal: AbortSignal): Promise<void>;
  /** Checks the reply after the call, outside the measured time. */
  check(): CallError | undefined;
  /** Calibration before the first call of encode and decode; undefined for other kinds. */
  readonly codec?: Pick<Codec, "repeat" | "encodedBytes" | "gzippedBytes" | "plainBytes">;
}

/** A stack, and what it supports. */
export interface Stack {
  name: string;
  protocol: string;
  library: string;
  kinds: string[];
  networks: string[];
  securities: string[];
  compressions: string[];
  messages: string[];
  codecs: string[];
  /** Creates a slot's Caller. The browser opens connections, with the first calls. */
  caller(connect: Connect, call: Call): Promise<Caller>;
}

/** The properties of all stacks that call servers: the browser does everything below the call. */
export const overFetch = { networks: ["tcp"], securities: ["plaintext", "tls"], messages: [], codecs: [] };

/** Returns the origin of a server's URLs. */
export function originOf(connect: Connect): string {
  return `${connect.security?.mode === "tls" ? "https" : "http"}://${connect.addresses[0]}`;
}

/** Returns how a reply differs from the expected one, or undefined if it does not. */
export function wrongReply(got: Uint8Array | undefined, want: Uint8Array, lengthsOnly: boolean): CallError | undefined {
  if (got?.length !== want.length) return new CallError("MISMATCH", `the reply has ${got?.length ?? 0} bytes, not ${want.length}`);
  if (lengthsOnly) return undefined;
  const at = got.findIndex((b, i) => b !== want[i]);
  return at < 0 ? undefined : new CallError("MISMATCH", `byte ${at} of the reply is ${got[at]}, not ${want[at]}`);
}
