// The chart of a case: each trial a dot, with the median and its interval; along the axis if there is one, otherwise in a lane
// for each stack.
import * as Plot from "@observablehq/plot";
import { cut, type Drawing, marginOf, type Spot } from "../figure";
import { exact, figure, mark, place } from "../format";
import type { Look } from "../look";
import type { Case, Metric, Place, Report, Row } from "../model";
import { domainOf, logTicks, spread } from "../scale";

export interface Shown {
  report: Report;
  looks: Look[];
  off: Set<number>; // stacks that are switched off
}

export interface Item {
  place: Place;
  row: Row;
  stack: string; // and its server, if the case has several
  label: string; // of its lane: the stack, unless the lanes are of several points
  look: Look;
  at: [number, number, number]; // the figure
  values: { value: number; rep: number; verdict: string }[];
}

/** Returns a stack's name, with its server's if the case has several. */
export function stackName(report: Report, place: Place): string {
  const stack = report.stacks![report.rows![place.row]!.stack]!.name;
  return place.server ? `${stack} · server ${place.server}` : stack;
}

/** Returns the rows of a case that have a metric and are switched on. */
export function itemsOf(shown: Shown, of: Case, metric: number): Item[] {
  return of.rows.flatMap((place) => {
    const row = shown.report.rows![place.row]!;
    const at = row.figures[metric];
    if (!at || shown.off.has(row.stack)) return [];
    const values = row.trials.flatMap((t) => {
      const value = t.values[metric];
      return value === null || value === undefined ? [] : [{ value, rep: t.rep, verdict: t.verdict }];
    });
    const stack = stackName(shown.report, place);
    return [{ place, row, stack, label: stack, look: shown.looks[row.stack]!, at, values }];
  });
}

/** Returns a point's text: exact figures, the interval and n. */
export function words(item: Item, metric: Metric, interval: string): string {
  const lines = [item.place.point ? `${item.stack}, ${item.place.point}` : item.stack];
  lines.push(`${metric.label}: ${exact(item.at[0], metric.unit)}`);
  if (item.values.length > 1) {
    lines.push(`${exact(item.at[1], metric.unit)} – ${exact(item.at[2], metric.unit)} (${interval})`);
  }
  lines.push(`n = ${item.values.length} trial${item.values.length === 1 ? "" : "s"}, ${item.row.calls.toLocaleString("en-US")} calls`);
  if (item.row.verdict !== "OK") lines.push(item.row.verdict);
  return lines.join("\n");
}

const trialWords = (item: Item, metric: Metric, t: Item["values"][number]): string =>
  [item.place.point ? `${item.stack}, ${item.place.point}` : item.stack, `trial ${t.rep}: ${exact(t.value, metric.unit)}`,
    ...(t.verdict === "OK" ? [] : [t.verdict])].join("\n");

/** Draws the lanes of one point. All points of a case share a domain. */
export function lanes(of: Case, metric: Metric, items: Item[], all: Item[], width: number): Drawing {
  const values = all.flatMap((i) => [...i.at, ...i.values.map((t) => t.value)]);
  const x = domainOf(values, 60, width < 500 ? 3 : 6);
  const longest = Math.max(...all.map((i) => i.label.length));
  const narrow = width < 500;
  const label = narrow ? 14 : Math.min(longest * 8 + 24, width / 3);
  const lane = narrow ? 48 : 36;
  const right = Math.max(...all.map((i) => figure(i.at[0], metric.unit).length * 9 + 16), 78);
  const names = items.map((i) => i.label);
  const dots = items.flatMap((i) => i.values.map((t) => ({ x: t.value, y: i.label, look: i.look, words: trialWords(i, metric, t) })));
  const spots: Spot[] = [
    ...items.map((i) => ({ x: i.at[0], y: i.label, words: words(i, metric, of.spread) })),
    ...dots.map((d) => ({ x: d.x, y: d.y, words: d.words })),
  ];
  const end = (i: Item) => Math.max(...i.values.map((t) => t.value), i.at[2]);
  return {
    name: `${metric.label} of ${items.map((i) => `${i.label} ${figure(i.at[0], metric.unit)}`).join(", ")}`,
    spots,
    options: {
      height: items.length * lane + 34, marginLeft: label, marginRight: right, marginTop: 4, marginBottom: 26,
      x: { type: x.type, domain: x.domain, label: null },
      y: { type: "band", domain: names, label: null, padding: 0.35, axis: null },
      marks: [
        Plot.gridX(x.ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
        Plot.axisX(x.ticks, { tickSize: 0, text: (v: number) => mark(v, metric.unit), fill: "var(--faint)" }),
        ...(x.type === "linear" ? [Plot.ruleX([0], { stroke: "var(--rule)" })] : []),
        narrow
          ? Plot.text(items, { frameAnchor: "left", y: "label", text: "label", dy: -18, dx: 2, textAnchor: "start", fill: "var(--ink)", ...cut(width - 16, 12) })
          : Plot.axisY({ tickSize: 0, fill: "var(--ink)", ...cut(label - 12, 13) }),
        Plot.ruleY(items, {
          y: "label", x1: (i: Item) => i.at[1], x2: (i: Item) => i.at[2], stroke: (i: Item) => i.look.color, strokeWidth: 9,
          strokeOpacity: 0.28, className: "interval",
        }),
        Plot.dot(dots, {
          x: "x", y: "y", stroke: (d: { look: Look }) => d.look.color, fill: "var(--paper)", r: 3.5, strokeWidth: 1.4, className: "trials",
        }),
        Plot.tickX(items, {
          y: "label", x: (i: Item) => i.at[0], stroke: (i: Item) => i.look.color, strokeWidth: 3, className: "medians",
        }),
        Plot.text(items, {
          y: "label", x: end, text: (i: Item) => figure(i.at[0], metric.unit), dx: 9, textAnchor: "start", fill: "var(--ink)",
          fontWeight: 600, fontSize: 13, fontVariant: "tabular-nums", className: "figures",
        }),
      ],
    },
  };
}

/** Draws a line for each stack along the axis, labeled at its end. */
export function curve(of: Case, metric: Metric, items: Item[], all: Item[], width: number): Drawing {
  const axis = of.axis!;
  const height = Math.round(Math.min(Math.max(width * 0.46, 280), 440));
  const narrow = width < 500;
  const labels = Math.min(Math.max(...items.map((i) => i.stack.length)) * 9 + 20, width / 3.2);
  const y = domainOf(all.flatMap((i) => [...i.at, ...i.values.map((t) => t.value)]), 8);
  const box = { top: 18, bottom: 40, left: marginOf(y.ticks.map((v) => mark(v, metric.unit))), right: Math.round(labels) };
  const places = [...new Set(all.map((i) => i.place.x!))].sort((a, b) => a - b);
  const isLog = places[0]! > 0 && places.at(-1)! / places[0]! > 4;
  const ticks = places.length <= (narrow ? 5 : 10) ? places : isLog ? logTicks(places[0]!, places.at(-1)!, narrow ? 4 : 8) : undefined;
  const domain = padded(places, isLog);
  const labeled = apart(ticks ?? places, (v) => place(v, axis.unit), domain, isLog, width - box.left - box.right);
  const lines = new Map<string, Item[]>();
  for (const i of items) lines.set(i.stack, [...(lines.get(i.stack) ?? []), i]);
  for (const line of lines.values()) line.sort((a, b) => a.place.x! - b.place.x!);
  const ends = [...lines.values()].map((line) => line.at(-1)!);
  const dots = items.flatMap((i) => i.values.map((t) => ({ x: i.place.x!, y: t.value, look: i.look, words: trialWords(i, metric, t) })));
  const at = (i: Item) => `${place(i.place.x!, axis.unit)} ${axis.unit === "B" ? axis.label : `(${axis.label})`}`;
  return {
    name: `${metric.label} along ${axis.label}, of ${[...lines.keys()].join(", ")}`,
    spots: items.map((i) => ({ x: i.place.x!, y: i.at[0], words: `${at(i)}\n${words(i, metric, of.spread)}` })),
    options: {
      height, marginTop: box.top, marginBottom: box.bottom, marginLeft: box.left, marginRight: box.right,
      x: { type: isLog ? "log" : "linear", domain, label: null },
      y: { type: y.type, domain: y.domain, label: null },
      marks: [
        Plot.gridY(y.ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
        Plot.axisY(y.ticks, { tickSize: 0, text: (v: number) => mark(v, metric.unit), fill: "var(--faint)" }),
        Plot.axisX(ticks ?? places, { tickSize: 4, text: (v: number) => (labeled.has(v) ? place(v, axis.unit) : ""), fill: "var(--faint)", stroke: "var(--rule)" }),
        Plot.text([axis.label + (isLog ? ", logarithmic" : "")], { frameAnchor: narrow ? "bottom-left" : "bottom", dx: narrow ? -box.left : 0, dy: 36, fill: "var(--faint)" }),
        ...[...lines.values()].map((line) =>
          Plot.line(line, {
            x: (i: Item) => i.place.x, y: (i: Item) => i.at[0], stroke: line[0]!.look.color, strokeWidth: 2,
            strokeDasharray: line[0]!.look.dash || undefined, className: "line",
          })),
        Plot.ruleX(items.filter((i) => i.values.length > 1), {
          x: (i: Item) => i.place.x, y1: (i: Item) => i.at[1], y2: (i: Item) => i.at[2], stroke: (i: Item) => i.look.color,
          strokeWidth: 6, strokeOpacity: 0.28, className: "interval",
        }),
        Plot.dot(dots, {
          x: "x", y: "y", stroke: (d: { look: Look }) => d.look.color, fill: "none", r: 2.2, strokeOpacity: 0.65, className: "trials",
        }),
        Plot.dot(items, {
          x: (i: Item) => i.place.x, y: (i: Item) => i.at[0], fill: (i: Item) => i.look.color, symbol: (i: Item) => i.look.symbol,
          stroke: "var(--paper)", r: 4.5, className: "medians",
        }),
        endLabels(ends.map((i) => ({ name: i.stack, color: i.look.color, y: i.at[0] })), y, [box.top, height - box.bottom], labels),
      ],
    },
  };
}

/** Returns the ticks that have room for their labels, the first among them. */
function apart(ticks: number[], text: (v: number) => string, [min, max]: [number, number], isLog: boolean, room: number): Set<number> {
  const to = isLog ? Math.log : (v: number) => v;
  const labeled = new Set<number>();
  let end = -Infinity;
  for (const tick of ticks) {
    const at = ((to(tick) - to(min)) / (to(max) - to(min))) * room, half = text(tick).length * 3.9;
    if (at - half < end) continue;
    labeled.add(tick);
    end = at + half;
  }
  return labeled;
}

function padded(places: number[], isLog: boolean): [number, number] {
  const [min, max] = [places[0]!, places.at(-1)!];
  if (min === max) return isLog ? [min / 2, max * 2] : [0, max * 2];
  if (!isLog) return [min - (max - min) * 0.03, max + (max - min) * 0.03];
  const by = (max / min) ** 0.025;
  return [min / by, max * by];
}

/** Draws names to the right of their lines' ends, moved apart. */
export function endLabels(
  ends: { name: string; color: string; y: number }[], y: { type: string; domain: [number, number] }, [top, bottom]: [number, number],
  room: number,
): Plot.Markish {
  const to = y.type === "log" ? Math.log : (v: number) => v;
  const from = y.type === "log" ? Math.exp : (v: number) => v;
  const [min, max] = [to(y.domain[0]), to(y.domain[1])];
  const pixel = (v: number) => bottom - ((to(v) - min) / (max - min)) * (bottom - top);
  const value = (p: number) => from(min + ((bottom - p) / (bottom - top)) * (max - min));
  const moved = spread(ends.map((e) => pixel(e.y)), 15, top, bottom).map(value);
  return Plot.text(ends.map((e, i) => ({ ...e, y: moved[i]! })), {
    frameAnchor: "right", y: "y", text: "name", fill: "color", textAnchor: "start", dx: 10, ...cut(room - 12, 12.5, "bold"), className: "names",
  });
}
