// Numbers as internal/plan/number prints them: three significant digits, in a unit that fits.

type Scale = [name: string, by: number];

const scales: Record<string, Scale[]> = {
  ns: [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9]],
  B: [["B", 1], ["kB", 1e3], ["MB", 1e6], ["GB", 1e9]],
  J: [["nJ", 1e-9], ["µJ", 1e-6], ["mJ", 1e-3], ["J", 1]],
  "MB/s": [["kB/s", 1e-3], ["MB/s", 1], ["GB/s", 1e3]],
};

/** Returns the scale of a figure in a unit. Rates of calls have none: they are only named where there is room. */
export function scaleOf(value: number, unit: string): Scale {
  const all = scales[unit];
  if (!all) return [unit === "/s" ? "" : unit, 1];
  let found = all[0]!;
  for (const scale of all) if (Math.abs(value) >= scale[1]) found = scale;
  return found;
}

export function grouped(value: number, decimals: number): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

function decimals(value: number): number {
  const size = Math.abs(value);
  if (size === 0 || size >= 100) return 0;
  if (size >= 1) return size >= 10 ? 1 : 2;
  return Math.min(2 - Math.floor(Math.log10(size)), 9);
}

/** What is printed for a figure that has no end, as it lies among calls that were not served. */
const unbounded = "∞";

/** Formats a figure with its unit: "95.0 µs", "44,100/s". */
export function figure(value: number | null, unit: string): string {
  if (value === null) return unbounded;
  const [name, by] = scaleOf(value, unit);
  const text = grouped(value / by, decimals(value / by));
  if (unit === "/s") return text + "/s";
  return name ? `${text} ${name}` : text;
}

const micro = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 }); // toLocaleString makes one for each number

/** Formats a figure as in CSV, with its unit. */
export function exact(value: number | null, unit: string): string {
  if (value === null) return unbounded;
  const text = micro.format(value);
  return unit === "/s" ? text + "/s" : unit ? `${text} ${unit}` : text;
}

/** Formats a round value of an axis: "20 µs", "50 k/s". */
export function mark(value: number, unit: string): string {
  if (value === 0) return "0";
  const [name, by] = scaleOf(value, unit);
  if (name) return `${short(value / by)} ${name}`;
  const rate = unit === "/s" ? unit : "";
  for (const [prefix, times] of [["G", 1e9], ["M", 1e6], ["k", 1e3]] as Scale[]) {
    if (Math.abs(value) >= times) return `${short(value / times)} ${prefix}${rate}`;
  }
  return short(value) + rate;
}

/** Formats a value that was measured at, as tables do: sizes exactly, in the largest unit that they are whole numbers of, and counts. */
export function place(value: number, unit: string): string {
  if (unit !== "B") return unit || value >= 1e6 ? mark(value, unit === "/s" ? "" : unit) : grouped(value, Number.isInteger(value) ? 0 : decimals(value));
  const sizes: Scale[] = [["MiB", 1 << 20], ["MB", 1e6], ["KiB", 1 << 10], ["kB", 1e3]];
  const [name, by] = sizes.find(([, by]) => value > 0 && value % by === 0) ?? ["B", 1];
  return `${grouped(value / by, 0)} ${name}`;
}

const short = (value: number): string => String(Number(value.toPrecision(4)));

export function count(n: number, noun: string): string {
  return `${grouped(n, 0)} ${noun}${n === 1 ? "" : "s"}`;
}

/** Formats a percentile that one of x calls lies beyond, with as many digits as tell it from 100: "99.99999". */
export function percentile(x: number, decimals = 0): string {
  return (100 - 100 / x).toFixed(Math.max(Math.ceil(Math.log10(x) - 1e-9) - 2, decimals));
}

/** Formats a ratio as a change: "+3.1%". */
export function change(ratio: number): string {
  const percent = Math.round(1000 * (ratio - 1)) / 10;
  return (percent >= 0 ? "+" : "-") + grouped(Math.abs(percent), 1) + "%";
}

/** Returns the number at the start of a table's cell, in its base unit; NaN without one, and of a date, which is text. */
export function parsed(text: string): number {
  if (text.trim().startsWith(unbounded)) return Infinity;
  if (/^\s*\d{4}-\d\d-\d\d/.test(text)) return NaN;
  const found = /^[≥<>~+]?\s*([-−]?[\d,]*\.?\d+)\s*(ns|µs|ms|s|B|kB|MB|GB|KiB|MiB|nJ|µJ|mJ|J|k|M|G)?\b/.exec(text.trim());
  if (!found) return NaN;
  const by: Record<string, number> = {
    µs: 1e3, ms: 1e6, s: 1e9, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 1024, MiB: 1 << 20, nJ: 1e-9, µJ: 1e-6, mJ: 1e-3,
    k: 1e3, M: 1e6, G: 1e9,
  };
  return Number(found[1]!.replaceAll(",", "").replace("−", "-")) * (by[found[2] ?? ""] ?? 1);
}
