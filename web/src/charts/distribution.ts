// The distribution of response times: percentiles on the axis of HdrHistogram, and histograms in logarithmic bins.
import * as Plot from "@observablehq/plot";
import { cut, type Drawing } from "../figure";
import { figure, grouped, mark, percentile, place as at } from "../format";
import { type Axis, binStart, type Case, type Place } from "../model";
import { domainOf } from "../scale";
import { endLabels, stackName, type Shown } from "./points";

/** What a value on an axis of internal/report/model is called; sizes need no name. */
const axisWords: Record<string, (count: string) => string> = {
  "operations per message": (n) => `batch ${n}`,
  "offered calls per second": (n) => `${n} calls/s`,
  "callers: calls in flight on all connections": (n) => `${n} in flight`,
  "messages per call": (n) => `${n} messages`,
};

/** Returns the name of a value on an axis: "batch 10", "500 calls/s", "1 kB". */
function valueName({ label, unit }: Axis, value: number): string {
  const words = axisWords[label];
  return words ? words(grouped(value, Number.isInteger(value) ? 0 : 1)) : at(value, unit);
}

/** Returns the name of a place's point: "1 kB, link wan". */
export const pointName = (of: Case, place: Place): string =>
  [of.axis && place.x !== undefined ? valueName(of.axis, place.x) : "", place.point ?? ""].filter((t) => t).join(", ");

/** Returns the rows of a case that are switched on, with their names. */
export function rowsOf(shown: Shown, of: Case) {
  const several = new Set(of.rows.map((p) => `${p.point ?? ""} ${p.x ?? ""}`)).size > 1;
  return of.rows.flatMap((place) => {
    const row = shown.report.rows![place.row]!;
    if (shown.off.has(row.stack)) return [];
    const stack = stackName(shown.report, place);
    const at = pointName(of, place);
    return [{ row, look: shown.looks[row.stack]!, stack, name: several && at ? `${stack} · ${at}` : stack }];
  });
}

export function percentiles(shown: Shown, of: Case, width: number): Drawing | null {
  const rows = rowsOf(shown, of).filter((r) => r.row.curve && r.row.curve.length > 1);
  if (!rows.length) return null;
  const points = rows.flatMap((r) => r.row.curve!.map(([x, at, lo, hi]) => ({ ...r, x: x / 1000, at: Math.max(at, 1), lo: Math.max(lo, 1), hi: Math.max(hi, 1) })));
  const y = domainOf(points.flatMap((p) => [p.lo, p.hi]), 1);
  const max = Math.max(...points.map((p) => p.x));
  const height = Math.round(Math.min(Math.max(width * 0.46, 280), 440));
  const right = Math.min(Math.max(...rows.map((r) => r.name.length)) * 9 + 20, width / 3);
  const ticks = [1, 2, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7].filter((t) => t <= max * 1.001 && !(width < 500 && t === 2));
  const lines = rows.map((r) => points.filter((p) => p.row === r.row));
  return {
    name: `Response time at each percentile of OK calls, of ${rows.map((r) => r.name).join(", ")}`,
    spots: points.map((p) => ({
      x: p.x, y: p.at,
      words: `${p.name}\np${Number(percentile(p.x, 1))}: ${figure(p.at, "ns")}\n` +
        (p.row.trials.length > 1 ? `${figure(p.lo, "ns")} – ${figure(p.hi, "ns")} (${of.spread})\n` : "") + `n = ${p.row.trials.length}`,
    })),
    options: {
      height, marginTop: 14, marginBottom: 40, marginLeft: 58, marginRight: right,
      x: { type: "log", domain: [1, max], label: null },
      y: { type: y.type, domain: y.domain, label: null },
      marks: [
        Plot.gridY(y.ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
        Plot.gridX(ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
        Plot.axisY(y.ticks, { tickSize: 0, text: (v: number) => mark(v, "ns"), fill: "var(--faint)" }),
        Plot.axisX(ticks, { tickSize: 0, text: (x: number) => (x > 1 ? `${percentile(x)}%` : "0"), fill: "var(--faint)" }),
        Plot.text(["percentile of OK calls, logarithmic towards 100%"], { frameAnchor: width < 500 ? "bottom-left" : "bottom", dx: width < 500 ? -58 : 0, dy: 36, fill: "var(--faint)" }),
        ...lines.map((line) => Plot.areaY(line, { x: "x", y1: "lo", y2: "hi", fill: line[0]!.look.color, fillOpacity: 0.13, className: "interval" })),
        ...lines.map((line) => Plot.line(line, {
          x: "x", y: "at", stroke: line[0]!.look.color, strokeWidth: 2, strokeDasharray: line[0]!.look.dash || undefined, className: "line",
        })),
        endLabels(lines.map((line) => ({ name: line[0]!.name, color: line[0]!.look.color, y: line.at(-1)!.at })), y as never, [14, height - 40], right),
      ],
    },
  };
}

/** The height in pixels of the lowest bar. */
const minBar = 2;

export function histogram(shown: Shown, of: Case, width: number): Drawing | null {
  const rows = rowsOf(shown, of).filter((r) => r.row.bins?.length);
  if (!rows.length) return null;
  const bars = rows.flatMap((r) => {
    const all = r.row.bins!.reduce((sum, [, n]) => sum + n, 0);
    return r.row.bins!.map(([bin, n]) => ({ ...r, x1: binStart(bin), x2: binStart(bin + 1), n, part: n / all, all }));
  });
  const x = domainOf(bars.flatMap((b) => [b.x1, b.x2]), 1, width < 500 ? 4 : 8);
  const lane = 68;
  const above = 1.5; // of the highest bar: the room for its name above it
  const top = Math.max(...bars.map((b) => b.part)) * above, gap = 0.12;
  const least = (top * minBar) / (lane * (1 - gap)); // so that few calls among many are seen
  return {
    name: `Histogram of response times of OK calls, of ${rows.map((r) => r.name).join(", ")}`,
    spots: bars.map((b) => ({
      x: Math.sqrt(b.x1 * b.x2), y: b.part, fy: b.name,
      words: `${b.name}\n${figure(b.x1, "ns")} – ${figure(b.x2, "ns")}\n${b.n.toLocaleString("en-US")} of ${b.all.toLocaleString("en-US")} calls (${(100 * b.part).toPrecision(3)}%)`,
    })),
    options: {
      height: rows.length * lane + 44, marginLeft: 8, marginRight: 12, marginBottom: 40, marginTop: 6,
      x: { type: "log", domain: x.domain, label: null },
      y: { domain: [0, top], axis: null },
      fy: { domain: rows.map((r) => r.name), axis: null, padding: gap },
      marks: [
        Plot.gridX(x.ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
        Plot.axisX(x.ticks, { tickSize: 0, text: (v: number) => mark(v, "ns"), fill: "var(--faint)" }),
        Plot.text([width < 500 ? "time of OK calls, logarithmic; height: share" : "response time of OK calls, logarithmic; height: share of calls"], { frameAnchor: "bottom", dy: 36, fill: "var(--faint)", facet: "super" }),
        Plot.rect(bars, { x1: "x1", x2: "x2", y1: 0, y2: (b: typeof bars[number]) => Math.max(b.part, least), fy: "name", fill: (b: typeof bars[number]) => b.look.color, insetLeft: 0.3, insetRight: 0.3, className: "bins" }),
        Plot.ruleY([0], { stroke: "var(--rule)" }),
        Plot.text(rows, { fy: "name", text: "name", frameAnchor: "top-left", dx: 2, dy: 3, fill: "var(--ink)", ...cut(width - 24, 12.5, "bold") }),
      ],
    },
  };
}
