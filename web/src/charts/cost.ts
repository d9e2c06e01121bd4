// The cost of a call: stacked bars of processor time and of bytes; and the machine's activity during the run.
import * as Plot from "@observablehq/plot";
import { cut, type Drawing } from "../figure";
import { exact, figure, mark } from "../format";
import type { Case, Report } from "../model";
import { domainOf } from "../scale";
import { rowsOf } from "./distribution";
import type { Shown } from "./points";

export interface Part { metric: string; label: string; shade: number; less?: string }

/** Parts of processor time; the pacer's is part of the client's. On shades up to 0.45 ink can be read, on 1 the color of paper. */
export const cpu: Part[] = [
  { metric: "client_cpu_ns_per_call", label: "client", shade: 1, less: "client_pacer_cpu_ns_per_call" },
  { metric: "client_pacer_cpu_ns_per_call", label: "pacer", shade: 0.3 },
  { metric: "proxy_cpu_ns_per_call", label: "proxy", shade: 0.2 },
  { metric: "server_cpu_ns_per_call", label: "server", shade: 0.45 },
];

export const bytes: Part[] = [
  { metric: "wire_bytes_out_per_call", label: "sent", shade: 1 },
  { metric: "wire_bytes_in_per_call", label: "received", shade: 0.45 },
];

export const indexOf = (report: Report, metric: string): number => (report.metrics ?? []).findIndex((m) => m.name === metric);

export function stacked(shown: Shown, of: Case, parts: Part[], what: string, width: number): Drawing | null {
  const median = (row: ReturnType<typeof rowsOf>[number]["row"], metric: string) => row.figures[indexOf(shown.report, metric)]?.[0];
  const unit = shown.report.metrics?.[indexOf(shown.report, parts[0]!.metric)]?.unit ?? "";
  const rows = rowsOf(shown, of);
  const bars = rows.flatMap((r) => {
    let from = 0;
    return parts.flatMap((part) => {
      const all = median(r.row, part.metric);
      if (all === undefined) return [];
      const own = all - ((part.less && median(r.row, part.less)) || 0);
      const bar = { ...r, part, own, x1: from, x2: from + own };
      from = bar.x2;
      return [bar];
    });
  });
  const lanes = rows.filter((r) => bars.some((b) => b.row === r.row));
  if (!lanes.length) return null;
  const x = domainOf(bars.map((b) => b.x2), Infinity, width < 500 ? 3 : 6);
  const ends = lanes.map((r) => ({ ...r, sum: Math.max(...bars.filter((b) => b.row === r.row).map((b) => b.x2)) }));
  const room = (x.domain[1] - x.domain[0]) * (46 / (width - 90));
  return {
    name: `${what}: ${ends.map((e) => `${e.name} ${figure(e.sum, unit)}`).join(", ")}`,
    spots: bars.map((b) => ({
      x: (b.x1 + b.x2) / 2, y: b.name, words: `${b.name}\n${b.part.label}: ${exact(b.own, unit)} per call\nn = ${b.row.trials.length} trials`,
    })),
    options: {
      height: lanes.length * 46 + 44, marginLeft: 8, marginRight: 82, marginTop: 4, marginBottom: 40,
      x: { type: "linear", domain: x.domain, label: null }, y: { type: "band", domain: lanes.map((r) => r.name), label: null, padding: 0.1, axis: null },
      marks: [
        Plot.gridX(x.ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
        Plot.axisX(x.ticks, { tickSize: 0, text: (v: number) => mark(v, unit), fill: "var(--faint)" }),
        Plot.text([what], { frameAnchor: "bottom", dy: 36, fill: "var(--faint)" }),
        Plot.text(lanes, { y: "name", text: "name", frameAnchor: "left", dx: 0, dy: -14, textAnchor: "start", fill: "var(--ink)", ...cut(width - 16, 12.5) }),
        Plot.barX(bars, { x1: "x1", x2: "x2", y: "name", insetTop: 18, insetBottom: 4, fill: (b: typeof bars[number]) => b.look.color,
          fillOpacity: (b: typeof bars[number]) => b.part.shade, insetRight: 1, className: "parts" }),
        Plot.text(bars.filter((b) => b.x2 - b.x1 > room), { x: (b: typeof bars[number]) => (b.x1 + b.x2) / 2, y: "name", dy: 7,
          text: (b: typeof bars[number]) => b.part.label, fill: (b: typeof bars[number]) => (b.part.shade > 0.9 ? "var(--paper)" : "var(--ink)"), fontSize: 11.5 }),
        Plot.text(ends, { x: "sum", y: "name", dx: 8, dy: 7, textAnchor: "start", text: (e: typeof ends[number]) => figure(e.sum, unit), fill: "var(--ink)",
          fontWeight: 600, fontVariant: "tabular-nums", className: "figures" }),
      ],
    },
  };
}

/** Draws the machine's disturbances: a panel for each measure, with a dot for each trial at its time. */
export function host(shown: Shown, of: Case, width: number): Drawing[] {
  return (shown.report.metrics ?? []).flatMap((metric, i) => {
    if (!metric.host) return [];
    const isPart = metric.name.endsWith("_ratio"), label = metric.label.replace(/ ratio$/, "");
    const percent = (v: number) => `${Number((100 * v).toPrecision(3))}%`;
    const text = (v: number) => (isPart ? percent(v) : exact(v, metric.unit));
    const dots = rowsOf(shown, of).flatMap((r) => r.row.trials.flatMap((t) => {
      const v = t.values[i];
      return v === null || v === undefined ? [] : [{ ...r, x: t.at / 1000, v, words: `${r.name}, trial ${t.rep}\n${label}: ${text(v)}` }];
    }));
    if (!dots.length) return [];
    const y = domainOf(dots.map((d) => d.v), Infinity, 4);
    return [{
      name: `${label} of each trial over the time of the run`,
      spots: dots.map((d) => ({ x: d.x, y: d.v, words: d.words })),
      options: {
        height: 140, marginLeft: 58, marginRight: 18, marginTop: 26, marginBottom: 26,
        x: { type: "linear" as const, label: null, nice: false, domain: [0, Math.max(...dots.map((d) => d.x), 1) * 1.03] },
        y: { type: y.type, domain: y.domain, label: null },
        marks: [
          Plot.gridY(y.ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
          Plot.axisY(y.ticks, { tickSize: 0, text: (v: number) => (isPart ? percent(v) : mark(v, metric.unit)), fill: "var(--faint)" }),
          Plot.axisX({ ticks: width < 500 ? 4 : 8, tickSize: 4, tickFormat: (v: number) => `${v} s`, fill: "var(--faint)", stroke: "var(--rule)" }),
          Plot.text([`${label}, each trial at its time`], { frameAnchor: "top-left", dy: -20, dx: -54, fill: "var(--ink)", fontWeight: 600, textAnchor: "start" }),
          Plot.dot(dots, { x: "x", y: "v", fill: (d: typeof dots[number]) => d.look.color, symbol: (d: typeof dots[number]) => d.look.symbol, r: 3.5, className: "trials" }),
        ],
      },
    }];
  });
}
