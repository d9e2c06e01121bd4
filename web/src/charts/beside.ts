// Pairs side by side: the changes of a comparison with their intervals and answers, and published figures beside measured ones.
import * as Plot from "@observablehq/plot";
import { cut, type Drawing, linesOf } from "../figure";
import { change, exact, figure, mark } from "../format";
import type { Change, Family, Panel } from "../model";
import { domainOf } from "../scale";

const answers = {
  better: { words: "better", color: "var(--good)", symbol: "triangle" },
  worse: { words: "worse", color: "var(--alarm)", symbol: "square" },
  same: { words: "same", color: "var(--ink)", symbol: "circle" },
  inconclusive: { words: "can’t tell", color: "var(--faint)", symbol: "diamond" },
} as const;

/** Returns the finest round ratios, from the last one below to the first one above all values, whose labels fit on a log axis. */
export function ratioTicks(min: number, max: number, room: number): number[] {
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].filter((step) => Math.floor(min / step + 1e-9) > 0).map((step) => {
    const first = Math.floor((min - 1) / step + 1e-9), last = Math.ceil((max - 1) / step - 1e-9);
    return Array.from({ length: Math.min(last - first, 99) + 1 }, (_, i) => Number((1 + (first + i) * step).toFixed(4)));
  });
  const decades = [[1, 2, 5], [1]].map((digits) => {
    const all = Array.from({ length: 13 }, (_, i) => i - 6).flatMap((e) => digits.map((d) => Number((d * 10 ** e).toPrecision(3))));
    return all.slice(Math.max(all.findLastIndex((t) => t <= min), 0), all.findIndex((t) => t >= max) + 1 || undefined);
  });
  const fits = (ticks: number[]) => ticks.length > 1 && ticks[0]! > 0 && ticks.every((t, i) => i === 0 || Math.log(t / ticks[i - 1]!) / Math.log(ticks.at(-1)! / ticks[0]!) > room);
  return [...steps, ...decades].find(fits) ?? decades[1]!;
}

export function changes(family: Family, width: number): Drawing | null {
  const sides = new Set(family.lines.map((l) => l.side)).size;
  const seen = new Map<string, number>();
  const lines = family.lines.filter((l) => l.ratio).map((l) => {
    const name = [l.point, sides > 1 ? l.side : ""].filter((t) => t).join(" · ") || l.side;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return { ...l, name: times > 1 ? `${name} (${times})` : name, at: l.ratio!, answer: answers[l.answer] };
  });
  if (!lines.length) return null;
  const all = lines.flatMap((l) => l.at).filter((v) => v > 0);
  const min = Math.min(...all, 1 - family.same * 1.4), max = Math.max(...all, 1 + family.same * 1.4);
  const ticks = ratioTicks(min, max, width < 500 ? 0.19 : 0.06);
  const domain: [number, number] = [ticks[0]!, ticks.at(-1)!];
  const right = 118, room = width - right - 8; // beside the values
  const over = linesOf(lines.reduce((most, l) => (l.name.length > most.length ? l.name : most), ""), room, 12.5) > 1 ? 8 : 0; // how much further up a name is that goes above them
  const lane = 46 + 2 * over;
  const key = `change against ${family.base}; ${family.higher ? "higher" : "lower"} is better; grey: the same within ${Number((100 * family.same).toPrecision(3))}%`;
  const below = 40 + 14 * (Math.ceil((key.length * 6.5) / (width - 16)) - 1); // a narrow key needs more lines
  type Line = (typeof lines)[number];
  const sideWords = (l: Pick<Change, "a" | "b" | "side">) => `${family.base}: ${exact(l.a[0], family.unit)} (n = ${l.a[3]})\n${l.side}: ${exact(l.b[0], family.unit)} (n = ${l.b[3]})`;
  return {
    name: `${family.metric}: ${lines.map((l) => `${l.name} ${change(l.at[0])}, ${l.answer.words}`).join("; ")}`,
    spots: lines.map((l) => ({
      x: l.at[0], y: l.name,
      words: `${l.name}\n${change(l.at[0])} (${change(l.at[1])} to ${change(l.at[2])}): ${l.answer.words}\n${sideWords(l)}`,
    })),
    options: {
      height: lines.length * lane + 4 + below, marginLeft: 24, marginRight: right, marginTop: 4, marginBottom: below,
      x: { type: "log", domain, label: null }, y: { type: "band", domain: lines.map((l) => l.name), label: null, padding: 0, axis: null },
      marks: [
        Plot.rect([family.same], { x1: 1 - family.same, x2: 1 + family.same, fill: "var(--grid)", fillOpacity: 0.7, className: "same" }),
        Plot.ruleY(lines, { y: "name", stroke: "var(--grid)", dy: 8 + over, className: "lane" }),
        Plot.axisX(ticks, { tickSize: 0, text: (v: number) => (v === 1 ? "±0" : change(v).replace(".0%", "%")), fill: "var(--faint)" }),
        Plot.ruleX([1], { stroke: "var(--faint)" }),
        Plot.text([key],
          { frameAnchor: "bottom-left", textAnchor: "start", lineAnchor: "top", dx: -16, dy: 24, className: "what", fill: "var(--faint)", lineWidth: (width - 16) / 12 / 1.15 }),
        Plot.text(lines, { y: "name", text: "name", frameAnchor: "left", dx: -16, dy: -11 - over, textAnchor: "start", fill: "var(--ink)", ...cut(over ? width - 24 : room, 12.5),
          stroke: "var(--paper)", strokeWidth: 4 }),
        Plot.ruleY(lines, { y: "name", x1: (l: Line) => l.at[1], x2: (l: Line) => l.at[2], stroke: (l: Line) => l.answer.color, strokeWidth: 3,
          strokeOpacity: 0.55, dy: 8 + over, className: "interval" }),
        Plot.dot(lines, { y: "name", x: (l: Line) => l.at[0], fill: (l: Line) => l.answer.color, symbol: (l: Line) => l.answer.symbol, r: 5, dy: 8 + over, className: "changes" }),
        Plot.text(lines, { y: "name", frameAnchor: "right", textAnchor: "start", dx: 12, dy: 8 + over, text: (l: Line) => `${change(l.at[0])}\n${l.answer.words}`,
          fill: (l: Line) => l.answer.color, fontWeight: 600, fontVariant: "tabular-nums", className: "figures" }),
      ],
    },
  };
}

export function published(panel: Panel, width: number): Drawing | null {
  const unit = panel.unit;
  const lines = panel.lines.filter((l) => l.published > 0 && l.measured[0] > 0).map((l, i) => ({ ...l, name: `${i + 1}`, label: `${l.case} · ${l.stack}` }));
  if (!lines.length) return null;
  const x = domainOf(lines.flatMap((l) => [l.published, l.measured[0]]), 1, width < 500 ? 4 : 8);
  type Line = (typeof lines)[number];
  const text = (v: number) => `${figure(v, "")} ${unit}`;
  return {
    name: `${panel.title}: published and measured, ${lines.map((l) => `${l.label} ${text(l.published)} and ${text(l.measured[0])}`).join("; ")}`,
    spots: lines.flatMap((l) => [
      { x: l.published, y: l.name, words: `${l.label}\npublished: ${text(l.published)}` },
      { x: l.measured[0], y: l.name, words: `${l.label}\nmeasured here: ${text(l.measured[0])}, n = ${l.measured[3]} trials` },
    ]),
    options: {
      height: lines.length * 40 + 44, marginLeft: 14, marginRight: 16, marginTop: 4, marginBottom: 40,
      x: { type: x.type, domain: x.domain, label: null }, y: { type: "band", domain: lines.map((l) => l.name), label: null, padding: 0, axis: null },
      marks: [
        Plot.gridX(x.ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
        Plot.axisX(x.ticks, { tickSize: 0, text: (v: number) => mark(v, ""), fill: "var(--faint)" }),
        Plot.text([`${unit}, logarithmic; ○ published, ● measured`], { frameAnchor: "bottom", dy: 36, fill: "var(--faint)" }),
        Plot.text(lines, { y: "name", text: "label", frameAnchor: "left", dy: -10, textAnchor: "start", fill: "var(--ink)", ...cut(width - 24, 12) }),
        Plot.ruleY(lines, { y: "name", x1: "published", x2: (l: Line) => l.measured[0], stroke: "var(--rule)", strokeWidth: 1.5, dy: 8 }),
        Plot.dot(lines, { y: "name", x: "published", stroke: "var(--ink)", fill: "var(--paper)", r: 5, dy: 8, className: "published" }),
        Plot.dot(lines, { y: "name", x: (l: Line) => l.measured[0], fill: "var(--accent)", r: 5, dy: 8, className: "measured" }),
      ],
    },
  };
}
