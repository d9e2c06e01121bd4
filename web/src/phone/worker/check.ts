import type { Call, Connect } from "../../gen/rpcbench/worker/v1/worker_pb";
import { payloadKinds } from "./payload";
import { FaultError, type Stack } from "./stack/stack";

const messageBytesMax = 64 << 20;
const slotsMax = 100_000;

function refuse(wrong: boolean, field: string, why: string): void {
  if (wrong) throw new FaultError(`connect.${field}`, why);
}

/** Names the first field of a Connect that a browser can't honour; it returns the stack. */
export function checkConnect(stacks: Stack[], c: Connect): Stack {
  const stack = stacks.find((s) => s.name === c.stack);
  if (!stack) throw new FaultError("connect.stack", `there is no stack "${c.stack}"`);
  const call = c.call;
  if (!call) throw new FaultError("connect.call", "there is none");
  refuse(!stack.kinds.includes(call.kind), "call.kind", `${stack.name} has no "${call.kind}"`);
  for (const name of Object.keys(c.options)) refuse(true, "options", `${stack.name} has no option "${name}"`);
  refuse(call.deadlineNs < 1_000_000n, "call.deadline_ns", "it must be at least 1 ms");
  refuse(call.recipe !== undefined, "call.recipe", `${stack.name} calls no methods of others`);
  refuse(call.mix !== undefined, "call.mix", `${stack.name} makes one call in a load, and no mix`);
  refuse(call.batch !== 0, "call.batch", `${stack.name} has no batches`);
  refuse(call.messagesPerStream !== 0, "call.messages_per_stream", `${stack.name} has no ping_pong`);
  refuse(call.messageRatePerSec !== 0, "call.message_rate_per_sec", `${call.kind} has no rate of messages`);
  refuse(c.streams !== 0, "streams", `${call.kind} has no streams to share`);
  refuse(c.background !== undefined, "background", "a browser deals calls to connections, so none is known to share one");
  if (stack.protocol === "codec") checkCodec(stack, c, call);
  else checkCall(stack, c, call);
  return stack;
}

function checkCall(stack: Stack, c: Connect, call: Call): void {
  refuse(!stack.networks.includes(c.network), "network", `${stack.name} has no "${c.network}"`);
  const mode = c.security?.mode ?? "";
  refuse(!stack.securities.includes(mode), "security.mode", `${stack.name} has no "${mode}"`);
  refuse(c.security?.systemRoots === true, "security.system_roots", "the browser decides whom it trusts");
  refuse(c.security?.skipVerify === true, "security.skip_verify", "the browser decides whom it trusts");
  refuse(!stack.compressions.includes(call.compression), "call.compression", `${stack.name} has no "${call.compression}"`);
  refuse(!payloadKinds.includes(call.payload), "call.payload", `there is no "${call.payload}"`);
  refuse(call.message !== "", "call.message", `${call.kind} has none`);
  refuse(call.codec !== "", "call.codec", `${call.kind} has none`);
  refuse(call.sampleNs !== 0n, "call.sample_ns", `${call.kind} has none`);
  refuse(c.addresses.length === 0, "addresses", "there is none");
  refuse(c.connections !== 1, "connections", "a browser opens connections as it sees fit, so there is one in name");
  refuse(c.inFlight === 0 || c.inFlight > slotsMax, "in_flight", `${c.inFlight} is not 1 to ${slotsMax}`);
  refuse(call.requestBytes > messageBytesMax, "call.request_bytes", `a message has ${messageBytesMax} bytes at most`);
  refuse(call.responseBytes > messageBytesMax, "call.response_bytes", `a message has ${messageBytesMax} bytes at most`);
  const wantsMessages = call.kind === "download";
  refuse(wantsMessages ? call.messages === 0 : call.messages !== 0, "call.messages", `${call.kind} can't have ${call.messages}`);
}

function checkCodec(stack: Stack, c: Connect, call: Call): void {
  const only = `${call.kind} has no server`;
  refuse(c.network !== "", "network", only);
  refuse((c.security?.mode ?? "") !== "", "security.mode", only);
  refuse(c.addresses.length > 0, "addresses", only);
  refuse(c.connections !== 1, "connections", `${only}, and one connection in name`);
  refuse(c.inFlight !== 1, "in_flight", `${only}, and one call at a time`);
  refuse(call.compression !== "", "call.compression", only);
  refuse(call.payload !== "", "call.payload", "the message is the payload");
  refuse(call.requestBytes !== 0, "call.request_bytes", "the message has its own size");
  refuse(call.responseBytes !== 0, "call.response_bytes", "the message has its own size");
  refuse(call.messages !== 0, "call.messages", "the number of operations is calibrated");
  refuse(call.lengthsOnly, "call.lengths_only", only);
  refuse(call.sampleNs < 1_000_000n || call.sampleNs > 60_000_000_000n, "call.sample_ns", `${call.sampleNs} is not 1 ms to 1 min`);
  refuse(call.deadlineNs < call.sampleNs, "call.deadline_ns", `${call.deadlineNs} is shorter than sample_ns, ${call.sampleNs}`);
  refuse(!stack.messages.includes(call.message), "call.message", `there is no ${call.message}`);
  refuse(!stack.codecs.includes(call.codec), "call.codec", `there is no ${call.codec}`);
}
