// Ticks and domains that Plot leaves to its users.

/** Returns the least and the greatest of values; Infinity and -Infinity of none. Math.min takes no hundred thousand arguments. */
export function extentOf(values: Iterable<number>): [min: number, max: number] {
  let min = Infinity, max = -Infinity;
  for (const v of values) {
    if (v < min) min = v;
    if (v > max) max = v;
  }
  return [min, max];
}

/** Returns the values 1, 2 and 5 of each decade around two values. */
function roundValues(min: number, max: number): number[] {
  const all: number[] = [];
  for (let decade = Math.floor(Math.log10(min)); decade <= Math.ceil(Math.log10(max)); decade++) {
    for (const digit of [1, 2, 5]) all.push(Number((digit * 10 ** decade).toPrecision(1)));
  }
  return all;
}

/** Returns the round values 1, 2 and 5 of each decade between two values; with many decades only the powers of ten. */
export function logTicks(min: number, max: number, wanted = 8): number[] {
  const within = roundValues(min, max).filter((v) => v >= min * 0.999 && v <= max * 1.001);
  if (within.length <= wanted) return within;
  const powers = within.filter((v) => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-6);
  const some = powers.length > 1 ? powers : within;
  const each = Math.ceil(some.length / wanted);
  return some.filter((_, i) => i % each === 0);
}

/** Returns round multiples from 0 on. */
export function linearTicks(max: number, wanted = 6): number[] {
  let step = 10 ** Math.floor(Math.log10(max / wanted));
  for (const by of [2, 2.5, 2]) {
    if (max / step <= wanted) break;
    step *= by;
  }
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, i) => i * step);
}

/** Returns a domain somewhat wider than two values, and than the round values around them if it had fewer than two ticks. */
function logDomain(min: number, max: number): [number, number] {
  const [from, to] = [min / 1.25, max * 1.25];
  if (logTicks(from, to).length > 1) return [from, to];
  const all = roundValues(min, max);
  const below = all.findLast((v) => v <= min) ?? from, above = all.find((v) => v >= max) ?? to;
  return [Math.min(from, below / 1.1), Math.max(to, above * 1.1)]; // with room for the names of these ticks
}

export interface Domain {
  type: "log" | "linear";
  domain: [number, number];
  ticks: number[];
}

/** Returns a domain for values: from 0, or logarithmic if they are further apart than a factor. */
export function domainOf(values: number[], factor: number, wanted?: number): Domain {
  const real = values.filter((v) => Number.isFinite(v));
  const [min] = extentOf(real.filter((v) => v > 0));
  const [, max] = extentOf(real);
  if (!(max > 0)) return { type: "linear", domain: [0, 1], ticks: [0, 1] };
  if (max / min > factor && real.every((v) => v > 0)) {
    const domain = logDomain(min, max);
    return { type: "log", domain, ticks: logTicks(...domain, wanted) };
  }
  return { type: "linear", domain: [0, max * 1.06], ticks: linearTicks(max * 1.06, wanted) };
}

/** Moves places apart until they are a gap from each other, as little as needed, within limits. */
export function spread(places: number[], gap: number, from: number, to: number): number[] {
  const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]!);
  const out = [...places];
  let at = -Infinity;
  for (const i of order) at = out[i] = Math.max(out[i]!, at + gap, from);
  at = Infinity;
  for (const i of order.reverse()) at = out[i] = Math.min(out[i]!, at - gap, to);
  return out;
}
