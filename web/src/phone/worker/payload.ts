import { SplitMix64 } from "./random";

export const payloadKinds = ["random", "json", "zeros"];

const names = ["Ada", "Barbara", "Edsger", "Grace", "Kurt", "Leslie", "Niklaus", "Tony"];
const cities = ["Athens", "Berlin", "Cairo", "Lima", "Nairobi", "Oslo", "Porto", "Quito"];

/** Makes n bytes that depend only on kind and seed, as described in internal/stack/payload.go. */
export function payloadOf(kind: string, seed: bigint, n: number): Uint8Array {
  switch (kind) {
    case "random": return randomBytes(seed, n);
    case "json": return lines(seed, n);
    default: return new Uint8Array(n);
  }
}

function randomBytes(seed: bigint, n: number): Uint8Array {
  const random = new SplitMix64(seed);
  const view = new DataView(new ArrayBuffer(Math.ceil(n / 8) * 8));
  for (let at = 0; at < n; at += 8) view.setBigUint64(at, random.word(), true);
  return new Uint8Array(view.buffer, 0, n);
}

function lines(seed: bigint, n: number): Uint8Array {
  const random = new SplitMix64(seed);
  let text = "";
  while (text.length < n) text += line(random.word());
  return new TextEncoder().encode(text.slice(0, n));
}

function line(w: bigint): string {
  const bits = (from: bigint, below: bigint) => Number((w >> from) % below);
  return `{"id":${w % 1_000_000n},"name":"${names[bits(32n, 8n)]}","city":"${cities[bits(35n, 8n)]}",` +
    `"active":${bits(38n, 2n) === 1},"balance":${bits(40n, 10_000n)}.${String(bits(56n, 100n)).padStart(2, "0")}}\n`;
}
