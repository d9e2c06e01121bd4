// A row along its measured phase: rate, calls in flight and percentiles by second, and the distribution over time.
import * as Plot from "@observablehq/plot";
import { type Drawing, linesOf, type Spot } from "../figure";
import { exact, figure, mark } from "../format";
import type { Look } from "../look";
import { binStart, heatBins, type Course, type Row, type Trial } from "../model";
import { domainOf, extentOf, linearTicks } from "../scale";

const seconds = (s: number): string => `${Number(s.toPrecision(4))} s`;

interface Point { t: number; v: number; line: string; color: string; dash?: string }

/** Draws one panel of lines over time. */
function panel(label: string, unit: string, points: Point[], until: number, width: number, isLog: boolean, isWhole = false): Drawing {
  const y = domainOf(points.map((p) => p.v), isLog ? 4 : Infinity, 5);
  if (isWhole) y.ticks = y.ticks.filter((tick) => Number.isInteger(tick));
  const alike = Map.groupBy(points, (p) => `${p.color} ${p.dash}`); // a mark for each of thousands of lines would take a minute
  const ticks = linearTicks(until / 1000, width < 500 ? 4 : 8);
  const more = 14 * (linesOf(label, width - 8) - 1); // a narrow label needs more lines
  const names = [...new Set(points.map((p) => p.line.split(" · ")[0]!))];
  const single = [...Map.groupBy(points, (p) => p.line).values()].filter((line) => line.length === 1).flat(); // no line
  const spots: Spot[] = points.map((p) => ({ x: p.t / 1000, y: p.v, words: `${p.line}, ${seconds(p.t / 1000)}\n${exact(p.v, unit)}` }));
  return {
    name: `${label} over time: ${names.join(", ")}`, spots,
    options: {
      height: 170 + more, marginLeft: 58, marginRight: 18, marginTop: 26 + more, marginBottom: 26,
      x: { type: "linear", domain: [0, until / 1000], label: null },
      y: { type: y.type, domain: y.domain, label: null },
      marks: [
        Plot.gridY(y.ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
        Plot.axisY(y.ticks, { tickSize: 0, text: (v: number) => mark(v, unit === "/s" ? "" : unit), fill: "var(--faint)" }), // the label has the rate
        Plot.axisX(ticks, { tickSize: 4, text: seconds, fill: "var(--faint)", stroke: "var(--rule)" }),
        Plot.text([label], { frameAnchor: "top-left", dy: -24 - more, dx: -54, fill: "var(--ink)", fontWeight: 600, textAnchor: "start",
          lineAnchor: "top", lineWidth: (width - 8) / 12 / 1.15 }),
        ...[...alike.values()].map((lines) => Plot.line(lines, {
          x: (p: Point) => p.t / 1000, y: "v", z: "line", stroke: lines[0]!.color, strokeWidth: 1.5, strokeDasharray: lines[0]!.dash, className: "line",
        })),
        Plot.dot(single, { x: (p: Point) => p.t / 1000, y: "v", r: 2.5, fill: (p: Point) => p.color, className: "single" }),
      ],
    },
  };
}

/** The line styles that distinguish several processes; the legend names them. */
const strokes: [words: string, dash?: string][] = [["solid"], ["dashed", "7 3"], ["dotted", "2 3"], ["dash-dotted", "9 3 2 3"], ["long dashes", "14 4"]];

interface Part { name: string; end: number[] }

/** Draws a panel with a line for each process or machine of each trial. Returns null if none has the figures. */
function parts<T extends Part>(
  label: string, unit: string, trials: Trial[], of: (c: Course) => T[] | undefined, values: (p: T) => number[] | undefined,
  color: string, until: number, width: number, isLog = false,
): Drawing | null {
  const names = [...new Set(trials.flatMap((t) => (of(t.course!) ?? []).filter(values).map((p) => p.name)))];
  if (!names.length) return null;
  const stroke = (name: string) => strokes[names.indexOf(name) % strokes.length]!;
  const points = trials.flatMap((t) => (of(t.course!) ?? []).flatMap((p) => (values(p) ?? []).map((v, i): Point => (
    { t: p.end[i]!, v, line: `${p.name} · trial ${t.rep}`, color, dash: stroke(p.name)[1] }))));
  const words = names.length > 1 ? `: ${names.slice(0, strokes.length).map((name) => `${name} ${stroke(name)[0]}`).join(", ")}` : `, ${names[0]}`;
  return panel(label + words, unit, points.filter((p) => !isLog || p.v > 0), until, width, isLog);
}

/** Draws rate, percentiles and lag of some trials of a row, with the activity of its processes and machines. */
export function course(of: Trial[], look: Look, width: number): (Drawing | null)[] {
  const trials = of.filter((t) => t.course);
  if (!trials.length) return [];
  const [, until] = extentOf(trials.map((t) => t.course!.end.at(-1)!));
  const over = (of: (c: NonNullable<typeof trials[number]["course"]>) => number[] | undefined, name: string, color = look.color, dash?: string): Point[] =>
    trials.flatMap((t) => (of(t.course!) ?? []).map((v, i) => ({ t: t.course!.end[i]!, v, line: `${name} · trial ${t.rep}`, color, dash })));
  const failed = over((c) => c.errors, "failed", "var(--alarm)", "3 2");
  const drawings = [panel(`OK calls per second${failed.length ? "; failed calls red and dashed" : ""}`, "/s",
    [...over((c) => c.ok, "OK"), ...failed], until, width, false)];
  const by = (at: 1 | 2 | 3 | 4, name: string, dash?: string): Point[] => trials.flatMap((t) =>
    (t.course!.seconds ?? []).map((s) => ({ t: s[0], v: s[at], line: `${name} · trial ${t.rep}`, color: look.color, dash })));
  const alone = trials.length === 1; // for several, half of the percentiles suffice
  const percentiles = [...by(1, "p50"), ...(alone ? by(2, "p90", "8 3") : []), ...by(3, "p99", "3 2"), ...(alone ? by(4, "longest", "1 3") : [])];
  if (trials.some((t) => (t.course!.seconds?.length ?? 0) > 1)) {
    const each = Math.max(...trials.map((t) => t.course!.each ?? 1));
    const piece = each > 1 ? `${each} s, the worst second of each` : "second";
    const lines = alone ? "p50 solid, p90 long dashes, p99 short dashes, longest dotted" : "p50 solid, p99 dashed";
    drawings.push(panel(`Response by ${piece}: ${lines}`, "ns", percentiles, until, width, true));
  }
  const means = over((c) => c.mean?.map((v) => v || NaN), "mean").filter((p) => Number.isFinite(p.v));
  if (means.length) drawings.push(panel("Geometric mean of the response in each interval", "ns", means, until, width, true));
  const inFlight = over((c) => c.inflight, "in flight");
  if (new Set(inFlight.map((p) => p.v)).size > 1) drawings.push(panel("Calls in flight at the end of each interval", "", inFlight, until, width, false, true));
  const used = (c: Course) => c.processes, did = (c: Course) => c.hosts;
  return [
    ...drawings,
    parts("Processors in use", "", trials, used, (p) => p.cpu, look.color, until, width),
    parts("Pauses of garbage collection in a second", "ns", trials, used, (p) => (p.pause?.some((v) => v > 0) ? p.pause : undefined), look.color, until, width),
    parts("Heap in use", "B", trials, used, (p) => p.heap, look.color, until, width),
    parts("Longest hiccup of the machine in a second", "ns", trials, did, (h) => h.hiccup, "var(--ink)", until, width, true),
    parts("Processors that the machine had busy", "", trials, did, (h) => h.busy, "var(--ink)", until, width),
    parts("Processors that other virtual machines took", "", trials, did, (h) => (h.steal?.some((v) => v > 0) ? h.steal : undefined), "var(--alarm)", until, width),
  ];
}

/** Returns a trial's name among those of its row. */
export const trialName = (row: Row, trial: Trial): string => {
  const same = row.trials.filter((t) => t.rep === trial.rep);
  return `trial ${trial.rep}${same.length > 1 ? ` (${same.indexOf(trial) + 1})` : ""}${trial.verdict === "OK" ? "" : `, ${trial.verdict}`}`;
};

export function heat(trial: Trial, width: number): Drawing | null {
  if (!trial.course?.heat) return null;
  const { end, cells } = trial.course!.heat!;
  const boxes = cells.map(([part, bin, n]) => ({
    x1: (part ? end[part - 1]! : 0) / 1000, x2: end[part]! / 1000, y1: binStart(bin), y2: binStart(bin + heatBins), n,
  }));
  const [, max] = extentOf(boxes.map((b) => b.n));
  const y = domainOf(boxes.flatMap((b) => [b.y1, b.y2]), 1);
  return {
    name: `Response times over time in trial ${trial.rep}: cells of a stronger color have more calls, up to ${max}`,
    spots: boxes.map((b) => ({
      x: (b.x1 + b.x2) / 2, y: Math.sqrt(b.y1 * b.y2),
      words: `${b.x1} – ${b.x2} s\n${figure(b.y1, "ns")} – ${figure(b.y2, "ns")}\n${b.n.toLocaleString("en-US")} calls`,
    })),
    options: {
      height: 320, marginLeft: 58, marginRight: 18, marginTop: 14, marginBottom: 40,
      x: { type: "linear", domain: [0, end.at(-1)! / 1000], label: null },
      y: { type: y.type, domain: y.domain, label: null },
      marks: [
        Plot.rect(boxes, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: "var(--accent)",
          fillOpacity: (b: typeof boxes[number]) => 0.08 + 0.92 * Math.sqrt(b.n / max), className: "cells" }),
        Plot.axisY(y.ticks, { tickSize: 0, text: (v: number) => mark(v, "ns"), fill: "var(--faint)" }),
        Plot.axisX(linearTicks(end.at(-1)! / 1000, width < 500 ? 4 : 8), { tickSize: 4, text: seconds, fill: "var(--faint)", stroke: "var(--rule)" }),
        Plot.text([`trial ${trial.rep}; the stronger the color, the more calls`], { frameAnchor: "bottom", dy: 36, fill: "var(--faint)" }),
      ],
    },
  };
}
