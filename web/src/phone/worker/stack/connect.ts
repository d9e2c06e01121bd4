// The Connect protocol and gRPC-Web, by the library that pages use for both.
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { BenchmarkService, SimpleRequestSchema, type SimpleResponse } from "../../../gen/benchmark_pb";
import type { Call, Connect } from "../../../gen/rpcbench/worker/v1/worker_pb";
import { payloadOf } from "../payload";
import { CallError, type Caller, originOf, overFetch, type Stack, wrongReply } from "./stack";

declare const CONNECT_VERSION: string;
const library = `@connectrpc/connect-web ${CONNECT_VERSION}`;

export const connectWeb = stackOf("connect-web", (baseUrl) => createConnectTransport({ baseUrl, useBinaryFormat: true }));
export const connectWebJSON = stackOf("connect-web-json", (baseUrl) => createConnectTransport({ baseUrl, useBinaryFormat: false }));
export const grpcWeb = stackOf("grpc-web", (baseUrl) => createGrpcWebTransport({ baseUrl, useBinaryFormat: true }));

function stackOf(name: string, transportTo: (baseUrl: string) => Transport): Stack {
  return {
    name, protocol: "connect", library, kinds: ["unary", "download"], compressions: ["none"], ...overFetch,
    caller: (connect, call) => Promise.resolve(callerOf(transportTo(originOf(connect)), connect, call)),
  };
}

/** Takes the replies of one call: only the last is kept. */
class Replies {
  private got = 0;
  private last: Uint8Array = new Uint8Array();
  private wrong: CallError | undefined; // about the first wrong length

  constructor(private readonly expected: number, private readonly want: Uint8Array, private readonly lengthsOnly: boolean) {}

  /** Reports whether more come than the call asked for. The server does not know how many those are; what came so far suffices. */
  add(reply: SimpleResponse): boolean {
    if (this.got === this.expected) return true;
    this.got++;
    this.last = reply.payload?.body ?? new Uint8Array();
    this.wrong ??= wrongReply(this.last, this.want, true);
    return false;
  }

  check(): CallError | undefined {
    if (this.got !== this.expected) return new CallError("MISMATCH", `${this.got} replies came, not ${this.expected}`);
    return this.wrong ?? wrongReply(this.last, this.want, this.lengthsOnly);
  }
}

export function callerOf(transport: Transport, _connect: Connect, call: Call): Caller {
  const client = createClient(BenchmarkService, transport);
  const request = create(SimpleRequestSchema, {
    responseSize: call.responseBytes, payload: { body: payloadOf(call.payload, call.seed, call.requestBytes) },
  });
  const want = payloadOf(call.payload, call.seed, call.responseBytes);
  const expected = call.kind === "unary" ? 1 : call.messages;
  const headers = { "rpcbench-messages": String(call.messages) };
  let replies: Replies;
  const unary = async (signal: AbortSignal) => {
    replies.add(await client.unaryCall(request, { signal }));
  };
  const download = async (signal: AbortSignal) => {
    const own = new AbortController(); // the library has no other end of a stream: it hides return() of its iterators
    const abort = () => own.abort(signal.reason);
    signal.addEventListener("abort", abort);
    try {
      for await (const response of client.streamingFromServer(request, { signal: own.signal, headers })) {
        if (replies.add(response)) return own.abort();
      }
    } finally {
      signal.removeEventListener("abort", abort);
    }
  };
  const make = call.kind === "unary" ? unary : download;
  return {
    async call(signal) {
      replies = new Replies(expected, want, call.lengthsOnly);
      try {
        await make(signal);
      } catch (error) {
        throw failureOf(error);
      }
    },
    check: () => replies.check(),
  };
}

/** A connection that can't be opened, or breaks, is a TypeError of fetch's. */
function failureOf(error: unknown): CallError {
  const known = ConnectError.from(error);
  if (known.cause instanceof TypeError) return new CallError("UNAVAILABLE", known.cause.message);
  return new CallError(Code[known.code].replace(/(?!^)([A-Z])/g, "_$1").toUpperCase().replace("CANCELED", "CANCELLED"), known.rawMessage);
}
