// The Connect protocol and gRPC-Web, by the library that pages use for both.
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { BenchmarkService, SimpleRequestSchema } from "../../../gen/benchmark_pb";
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

function callerOf(transport: Transport, _connect: Connect, call: Call): Caller {
  const client = createClient(BenchmarkService, transport);
  const request = create(SimpleRequestSchema, {
    responseSize: call.responseBytes, payload: { body: payloadOf(call.payload, call.seed, call.requestBytes) },
  });
  const want = payloadOf(call.payload, call.seed, call.responseBytes);
  const replies: (Uint8Array | undefined)[] = [];
  const unary = async (signal: AbortSignal) => {
    replies.push((await client.unaryCall(request, { signal })).payload?.body);
  };
  const headers = { "rpcbench-messages": String(call.messages) };
  const download = async (signal: AbortSignal) => {
    for await (const response of client.streamingFromServer(request, { signal, headers })) replies.push(response.payload?.body);
  };
  const make = call.kind === "unary" ? unary : download;
  const expected = call.kind === "unary" ? 1 : call.messages;
  return {
    async call(signal) {
      replies.length = 0;
      try {
        await make(signal);
      } catch (error) {
        throw failureOf(error);
      }
    },
    check() {
      if (replies.length !== expected) return new CallError("MISMATCH", `${replies.length} replies came, not ${expected}`);
      for (const reply of replies) {
        const wrong = wrongReply(reply ?? new Uint8Array(), want, call.lengthsOnly);
        if (wrong) return wrong;
      }
      return undefined;
    },
  };
}

/** A connection that can't be opened, or breaks, is a TypeError of fetch's. */
function failureOf(error: unknown): CallError {
  const known = ConnectError.from(error);
  if (known.cause instanceof TypeError) return new CallError("UNAVAILABLE", known.cause.message);
  return new CallError(Code[known.code].replace(/(?!^)([A-Z])/g, "_$1").toUpperCase().replace("CANCELED", "CANCELLED"), known.rawMessage);
}
