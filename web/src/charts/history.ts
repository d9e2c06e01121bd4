// A metric over commits: each commit's trials, median and spread, the level between changes, and the changes.
import * as Plot from "@observablehq/plot";
import { type Drawing, linesOf, marginOf } from "../figure";
import { change, exact, figure, mark } from "../format";
import type { Metric, Served, Trend } from "../model";
import { domainOf, extentOf } from "../scale";

const short = (commit: string): string => (/^[0-9a-f]{13,}$/.test(commit) ? commit.slice(0, 8) : commit.length > 14 ? commit.slice(0, 13) + "…" : commit);

export function trend(metric: Metric, of: Trend, width: number): Drawing {
  const { steps, changes } = of;
  const all = inSight(steps.flatMap((s) => s.figure[0] ?? []), steps.flatMap((s) => [...s.figure, ...s.trials]).filter((v) => v !== null));
  const [min, max] = all.length ? extentOf(all) : [0, 1];
  // On an axis from 0, a change of a few percent is invisible. If all values are within a factor of 3, the axis starts a third of
  // their range below the least.
  const from = min > 0 && max / min < 3 ? min - (max - min || min * 0.1) * 0.35 : 0;
  const y = domainOf(all, Infinity, 5);
  const top = max + (max - from) * 0.12 || 1;
  const step = y.ticks.length > 1 ? (y.ticks[1]! - y.ticks[0]!) : 1;
  const wanted = Math.max((top - from) / 4, Number.MIN_VALUE);
  const unit = 10 ** Math.floor(Math.log10(wanted));
  const each = from > 0 ? [1, 2, 5, 10].map((n) => n * unit).find((n) => n >= wanted)! : step;
  const ticks = Array.from({ length: Math.floor((top - from) / each) + 1 }, (_, i) => (Math.ceil(from / each) + i) * each).filter((v) => v <= top);
  const left = marginOf(ticks.map((v) => mark(v, metric.unit)), 62);
  const edges = [0, ...changes.map((c) => c.at), steps.length];
  const levels = edges.slice(1).map((to, i) => ({
    x1: edges[i]! - 0.4, x2: to - 0.6, y: i ? changes[i - 1]!.after : changes[0] ? changes[0].before : middle(steps.map((s) => s.figure[0])),
  })).filter((level) => level.y !== null);
  const marks = changes.map((c) => ({
    x: c.at - 0.5, color: c.worse ? "var(--alarm)" : "var(--good)",
    text: `${c.before && c.after !== null ? change(c.after / c.before) : figure(c.after, metric.unit)} ${c.worse ? "worse" : "better"}`,
    late: c.at > steps.length * 0.7,
  }));
  const apart = Math.max(Math.ceil(steps.length / Math.max(Math.floor((width - 80) / 100), 1)), 1);
  const named = steps.map((_, i) => i).filter((i) => i % apart === 0);
  const within = (v: number) => Math.min(Math.max(v, from), top);
  const every = steps.flatMap((s, i) => s.trials.filter((v) => v !== null).map((v) => ({ x: i, y: within(v), isWithin: v === within(v) })));
  const trials = every.filter((t) => t.isWithin), beyond = every.filter((t) => !t.isWithin);
  // What has no end is at the top: a commit by its sign, a spread by reaching there.
  const medians = steps.map((s, i) => ({ x: i, y: s.figure[0], lo: within(s.figure[1] ?? top), hi: within(s.figure[2] ?? top) }));
  const served = medians.filter((m) => m.y !== null), unserved = medians.filter((m) => m.y === null);
  const key = `${metric.label}, ${metric.higher ? "higher" : "lower"} is better: ● median, bar = its spread, ○ trial${
    beyond.length ? ", △ trial beyond the axis" : ""}`;
  const more = 14 * linesOf(key, width - 8);
  const said = marks.map((m, i) => `${m.text} at ${short(steps[changes[i]!.at]!.commit)}`);
  return {
    name: `${metric.label} of ${of.point} over ${steps.length} commits: ${said.join("; ") || "no change"}`,
    spots: steps.map((s, i) => ({
      x: i, y: s.figure[0] ?? top,
      words: [`${short(s.commit)}, ${s.at}`, `${metric.label}: ${exact(s.figure[0], metric.unit)}`,
        ...(s.trials.length > 1 ? [`${exact(s.figure[1], metric.unit)} – ${exact(s.figure[2], metric.unit)}`] : []),
        `n = ${s.trials.length} trial${s.trials.length === 1 ? "" : "s"}`].join("\n"),
    })),
    options: {
      height: 230 + more, marginLeft: left, marginRight: 18, marginTop: 26, marginBottom: 30 + more,
      x: { type: "linear", domain: [-0.6, Math.max(steps.length - 0.4, 1)], label: null },
      y: { type: "linear", domain: [from, top], label: null },
      marks: [
        Plot.gridY(ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
        Plot.axisY(ticks, { tickSize: 0, text: (v: number) => mark(v, metric.unit), fill: "var(--faint)" }),
        Plot.axisX(named, { tickSize: 4, text: (i: number) => short(steps[i]!.commit), fill: "var(--faint)", stroke: "var(--rule)" }),
        Plot.ruleX(marks, { x: "x", stroke: "color", strokeWidth: 1.5, strokeDasharray: "4 3", className: "changes" }),
        Plot.text(marks.filter((m) => !m.late), { x: "x", text: "text", frameAnchor: "top", dy: -14, dx: 4, textAnchor: "start", fill: "color", fontWeight: 600 }),
        Plot.text(marks.filter((m) => m.late), { x: "x", text: "text", frameAnchor: "top", dy: -14, dx: -4, textAnchor: "end", fill: "color", fontWeight: 600 }),
        Plot.ruleY(levels, { x1: "x1", x2: "x2", y: "y", stroke: "var(--s0)", strokeOpacity: 0.45, strokeWidth: 2, className: "levels" }),
        Plot.ruleX(medians, { x: "x", y1: "lo", y2: "hi", stroke: "var(--s0)", strokeOpacity: 0.25, strokeWidth: 5, className: "interval" }),
        Plot.dot(trials, { x: "x", y: "y", r: 1.8, stroke: "var(--s0)", strokeOpacity: 0.5, className: "trials" }),
        Plot.dot(beyond, { x: "x", y: "y", r: 3, symbol: "triangle", stroke: "var(--s0)", className: "beyond" }),
        Plot.text([key], { frameAnchor: "bottom-left", textAnchor: "start", lineAnchor: "top", dx: 4 - left, dy: 28, fill: "var(--faint)",
          lineWidth: (width - 8) / 12 / 1.15, className: "key" }),
        Plot.text(unserved, { x: "x", text: () => figure(null, metric.unit), frameAnchor: "top", dy: 8, fill: "var(--alarm)", fontWeight: 600, className: "unserved" }),
        Plot.dot(served, { x: "x", y: "y", r: 3.6, fill: "var(--s0)", stroke: "var(--paper)", className: "medians" }),
      ],
    },
  };
}

/** Returns the values that an axis has room for: none is further from the medians than twice their range, or a fifth of the greatest. */
function inSight(medians: number[], values: number[]): number[] {
  const [min, max] = extentOf(medians);
  const room = 2 * Math.max(max - min, max / 10);
  return medians.length ? values.filter((v) => v >= min - room && v <= max + room) : values;
}

/** Returns the median of values; null if it lies among those that were not served. */
function middle(values: Served[]): Served {
  const sorted = values.map((v) => v ?? Infinity).sort((a, b) => a - b);
  const n = sorted.length;
  const median = n % 2 ? sorted[(n - 1) / 2]! : (sorted[n / 2 - 1]! + sorted[n / 2]!) / 2;
  return Number.isFinite(median) ? median : null;
}
