// JSON over HTTP by fetch, as in a page without a library. The messages are those of the gRPC stacks in protobuf's JSON.
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import type { Call, Connect } from "../../../gen/rpcbench/worker/v1/worker_pb";
import { payloadOf } from "../payload";
import { CallError, type Caller, originOf, overFetch, type Stack, wrongReply } from "./stack";

const path = "/grpc.testing.BenchmarkService/UnaryCall";

export const fetchJSON: Stack = {
  name: "http-json-fetch", protocol: "http-json", library: "fetch and JSON of the browser", kinds: ["unary"],
  compressions: ["none", "gzip"], ...overFetch,
  caller: (connect, call) => Promise.resolve(callerOf(connect, call)),
};

interface Answer {
  payload?: { body?: string };
}

function callerOf(connect: Connect, call: Call): Caller {
  const url = originOf(connect) + path;
  const payload = payloadOf(call.payload, call.seed, call.requestBytes);
  const want = payloadOf(call.payload, call.seed, call.responseBytes);
  const zipped = call.compression === "gzip";
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (zipped) headers["content-encoding"] = "gzip";
  let body: Uint8Array | undefined;
  return {
    async call(signal) {
      body = undefined;
      const text = JSON.stringify({ responseSize: call.responseBytes, payload: { body: base64Encode(payload) } });
      const answer = JSON.parse(await post(url, headers, zipped ? await gzip(text) : text, signal)) as Answer;
      body = base64Decode(answer.payload?.body ?? "");
    },
    check: () => wrongReply(body, want, call.lengthsOnly),
  };
}

/** Returns the body of the response. A connection may break within it, too. */
async function post(url: string, headers: Record<string, string>, body: BodyInit, signal: AbortSignal): Promise<string> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { method: "POST", headers, body, signal, cache: "no-store" });
    text = await response.text();
  } catch (error) {
    throw new CallError("UNAVAILABLE", error instanceof Error ? error.message : String(error));
  }
  if (response.ok) return text;
  throw new CallError(codeOf(response.status), text.trim() || `HTTP ${response.status}`);
}

function gzip(text: string): Promise<ArrayBuffer> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
}

/** Maps HTTP statuses to codes as gRPC does (https://grpc.github.io/grpc/core/md_doc_http-grpc-status-mapping.html). */
function codeOf(status: number): string {
  switch (status) {
    case 400: return "INTERNAL";
    case 401: return "UNAUTHENTICATED";
    case 403: return "PERMISSION_DENIED";
    case 404: return "UNIMPLEMENTED";
    case 413: return "RESOURCE_EXHAUSTED";
    case 429: case 502: case 503: case 504: return "UNAVAILABLE";
    default: return "UNKNOWN";
  }
}
