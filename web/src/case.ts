// The charts of one case: tabs, the choice of the metric or the row, and the drawing.
import * as beside from "./charts/beside";
import * as cost from "./charts/cost";
import * as distribution from "./charts/distribution";
import * as history from "./charts/history";
import * as points from "./charts/points";
import * as time from "./charts/time";
import { make } from "./dom";
import { draw, type Drawing, isForPaper, widthOf } from "./figure";
import type { Case, Place, Report, Row, Trial } from "./model";

type Shown = points.Shown;

/** A chart that can be redrawn when the width or the stacks change. */
export interface Drawable {
  element: HTMLElement;
  redraw(): void;
}

/** The number of a case's points that have lanes before the reader asks for all. */
const maxLanes = 8;

/** Puts drawings below each other, with a heading where there is one. */
function fill(into: HTMLElement, drawings: (Drawing | null)[], headings: string[] = []): void {
  into.replaceChildren();
  drawings.forEach((drawing, i) => {
    if (!drawing) return;
    if (headings[i]) into.append(make(into.closest("section")?.querySelector("h3") ? "h4" : "h3", { class: "point" }, headings[i]!));
    const frame = make("div", { class: "frame" });
    into.append(frame);
    draw(frame, drawing);
  });
  if (!into.children.length) into.append(make("p", { class: "none" }, "Nothing to draw: no trial has this, or its stack is switched off."));
}

/** The maximum number of lines and lanes of distributions in a chart of several points. */
const maxLines = 8;

/** The points of a case, with their rows. */
function pointsOf(of: Case): { name: string; rows: Place[] }[] {
  const groups = Map.groupBy(of.rows, (p) => distribution.pointName(of, p));
  return [...groups].map(([name, rows]) => ({ name: name || "all", rows }));
}

interface Tab {
  label: string;
  choice: "metric" | "row" | "point" | "none";
  /** The trials of a row that the chart draws: all of them, or the one that the reader chose. */
  trials?: { of(row: Row): Trial[]; all: boolean };
  draw(into: HTMLElement, chosen: number, trials: Trial[]): void;
}

/** Returns the cases that can be drawn: none if every trial failed. */
export const casesOf = (report: Report): Case[] => (report.metrics?.length ? report.cases ?? [] : []);

export function caseCharts(section: HTMLElement, shown: Shown, of: Case, number: number): Drawable {
  const report = shown.report;
  const rows = of.rows.map((p) => report.rows![p.row]!);
  const has = (metric: string) => rows.some((r) => r.figures[cost.indexOf(report, metric)]);
  // With more than maxLines, which can't be distinguished, a chart shows one point.
  const several = pointsOf(of);
  const apart = of.rows.length > maxLines && several.length > 1;
  const at = (point: number): Case => (apart ? { ...of, rows: several[point]!.rows } : of);
  const tabs: Tab[] = [
    { label: "Figures", choice: "metric", draw: (into, metric) => figures(into, metric) },
    ...(rows.some((r) => (r.curve?.length ?? 0) > 1) ? [
      { label: "Percentiles", choice: "point" as const, draw: (into: HTMLElement, point: number) =>
        fill(into, [distribution.percentiles(shown, at(point), widthOf(into))]) }] : []),
    ...(rows.some((r) => r.bins?.length) ? [
      { label: "Histogram", choice: "point" as const, draw: (into: HTMLElement, point: number) =>
        fill(into, [distribution.histogram(shown, at(point), widthOf(into))]) }] : []),
    ...(rows.some((r) => r.trials.some((t) => t.course)) ? [
      { label: "Over time", choice: "row" as const, trials: { of: (row: Row) => row.trials.filter((t) => t.course), all: true },
        draw: (into: HTMLElement, row: number, trials: Trial[]) => fill(into, time.course(trials, shown.looks[rows[row]!.stack]!, widthOf(into))) }] : []),
    ...(rows.some((r) => r.trials.some((t) => t.course?.heat)) ? [
      { label: "Heat map", choice: "row" as const, trials: { of: (row: Row) => row.trials.filter((t) => t.course?.heat), all: false },
        draw: (into: HTMLElement, _row: number, trials: Trial[]) => fill(into, trials.map((t) => time.heat(t, widthOf(into)))) }] : []),
    ...(has("client_cpu_ns_per_call") ? [
      { label: "CPU", choice: "point" as const, draw: (into: HTMLElement, point: number) =>
        fill(into, [cost.stacked(shown, at(point), cost.cpu, "processor time per call", widthOf(into))]) }] : []),
    ...(has("wire_bytes_out_per_call") ? [
      { label: "Bytes", choice: "point" as const, draw: (into: HTMLElement, point: number) =>
        fill(into, [cost.stacked(shown, at(point), cost.bytes, "bytes on the wire per call", widthOf(into))]) }] : []),
    ...(report.metrics?.some((m, i) => m.host && rows.some((r) => r.figures[i])) ? [
      { label: "Host", choice: "none" as const, draw: (into: HTMLElement) => fill(into, cost.host(shown, of, widthOf(into))) }] : []),
  ];

  let showsAll = false;
  function figures(into: HTMLElement, metric: number): void {
    const all = points.itemsOf(shown, of, metric);
    const by = Map.groupBy(all, (i) => i.place.point ?? "");
    // Points with one row each can only be compared with each other.
    const single = !of.axis && by.size > 1 && [...by.values()].every((items) => items.length === 1);
    const stacks = new Set(all.map((i) => i.stack)).size;
    for (const i of single ? all : []) i.label = stacks > 1 ? `${i.stack} · ${i.place.point}` : i.place.point!;
    const groups = single ? [["", all] as const] : [...by.entries()];
    const floor = (i: points.Item) => Number(!report.stacks![i.row.stack]!.floor);
    const sign = report.metrics![metric]!.higher ? -1 : 1;
    for (const [, items] of groups) items.sort((a, b) => floor(a) - floor(b) || sign * (a.at[0] - b.at[0]));
    const some = showsAll || isForPaper() ? groups : groups.slice(0, maxLanes);
    const m = report.metrics![metric]!;
    const isAlong = (items: points.Item[]) => of.axis && new Set(items.map((i) => i.place.x)).size > 1;
    const drawings = some.map(([, items]) => (isAlong(items) ? points.curve : points.lanes)(of, m, items, all, widthOf(into)));
    const isLog = some.some(([, items], i) => (isAlong(items) ? drawings[i]!.options.y : drawings[i]!.options.x)!.type === "log");
    fill(into, drawings, groups.length > 1 ? some.map(([name]) => name) : []);
    if (some.length < groups.length) {
      const more = make("button", { type: "button", class: "more" }, `Show all ${groups.length} points`);
      more.addEventListener("click", () => { showsAll = true; redraw(); });
      into.append(more);
    }
    if (all.length) {
      into.append(make("p", { class: "key" }, all.some((i) => i.values.length > 1)
        ? `${m.label}${isLog ? ", logarithmic" : ""}: line or mark = median, band = ${of.spread}, dot = trial; ${m.higher ? "higher" : "lower"} is better`
        : `${m.label}${isLog ? ", logarithmic," : ""} of one trial each; ${m.higher ? "higher" : "lower"} is better`));
    }
  }

  const list = make("div", { role: "tablist", class: "tabs", "aria-label": `Charts of ${of.title}` });
  const metricChoice = make("select", { "aria-label": `Metric of ${of.title}` });
  report.metrics!.forEach((m, i) => {
    if (!m.host && rows.some((r) => r.figures[i])) metricChoice.append(make("option", { value: String(i) }, m.label));
  });
  metricChoice.value = String(of.headline);
  const rowChoice = make("select", { "aria-label": `Row of ${of.title}` });
  const names = distribution.rowsOf({ ...shown, off: new Set() }, of);
  names.forEach((r, i) => rowChoice.append(make("option", { value: String(i) }, r.name)));
  rowChoice.value = String(Math.max(names.findIndex((r) => !report.stacks![r.row.stack]!.floor), 0));
  const pointChoice = make("select", { "aria-label": `Point of ${of.title}` });
  several.forEach((point, i) => pointChoice.append(make("option", { value: String(i) }, point.name)));
  const panel = make("div", { role: "tabpanel", class: "panel", id: `panel-${number}`, tabindex: "-1" });
  const buttons = tabs.map((tab, i) => {
    const button = make("button", { type: "button", role: "tab", id: `tab-${number}-${i}`, "aria-controls": panel.id }, tab.label);
    button.addEventListener("click", () => select(i));
    return button;
  });
  list.append(...buttons);
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    select((current + step + tabs.length) % tabs.length);
    buttons[current]!.focus();
  });
  const trialChoice = make("select", { "aria-label": `Trial of ${of.title}` });
  for (const choice of [metricChoice, rowChoice, pointChoice, trialChoice]) choice.addEventListener("change", redraw);
  const bar = make("div", { class: "bar" }, list, make("span", { class: "choices" }, metricChoice, rowChoice, trialChoice, pointChoice));
  section.append(bar, panel);

  // A single row can't be compared: its distribution says more than its median.
  let current = rows.length === 1 ? Math.max(tabs.findIndex((t) => t.label === "Percentiles"), 0) : 0;
  function select(i: number): void {
    current = i;
    redraw();
  }
  /** Offers the trials of a row and returns the chosen ones. A choice is kept while the row has it. */
  function chosenTrials(tab: Tab, row: Row): Trial[] {
    const trials = tab.trials?.of(row) ?? [];
    trialChoice.hidden = trials.length < 2;
    const before = trialChoice.value;
    trialChoice.replaceChildren(...(tab.trials?.all ? [make("option", { value: "" }, "all trials")] : []),
      ...trials.map((t) => make("option", { value: time.trialName(row, t) }, time.trialName(row, t))));
    if (trials.some((t) => time.trialName(row, t) === before)) trialChoice.value = before;
    const one = trials.filter((t) => time.trialName(row, t) === trialChoice.value);
    return one.length || tab.trials?.all ? (one.length ? one : trials) : trials.slice(0, 1);
  }
  function redraw(): void {
    const tab = tabs[current]!;
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === current));
      button.tabIndex = i === current ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", buttons[current]!.id);
    metricChoice.hidden = tab.choice !== "metric";
    rowChoice.hidden = tab.choice !== "row" || names.length < 2;
    pointChoice.hidden = tab.choice !== "point" || !apart;
    const chosen = Number({ metric: metricChoice, row: rowChoice, point: pointChoice, none: rowChoice }[tab.choice].value);
    tab.draw(panel, chosen, chosenTrials(tab, rows[chosen]!));
  }
  return { element: section, redraw };
}

/** Returns a chart without choices. */
function plain(section: HTMLElement, drawn: (width: number) => (Drawing | null)[], headings: string[] = []): Drawable {
  const panel = make("div", { class: "panel" });
  section.append(panel);
  return { element: section, redraw: () => fill(panel, drawn(widthOf(panel)), headings) };
}

/** Returns the charts of a section of the page. */
export function drawableOf(section: HTMLElement, shown: Shown): Drawable | null {
  const { of, number } = section.dataset as { of: string; number: string };
  const report = shown.report;
  const one = casesOf(report)[Number(number)];
  if (of === "case" && one) return caseCharts(section, shown, one, Number(number));
  const family = report.changes?.[Number(number)];
  if (of === "changes" && family) return plain(section, (width) => [beside.changes(family, width)]);
  const trend = report.history?.[Number(number)];
  if (of === "history" && trend) return plain(section, (width) => [history.trend(report.metric!, trend, width)]);
  if (of === "published" && report.published) {
    return plain(section, (width) => report.published!.map((p) => beside.published(p, width)), report.published.map((p) => p.title));
  }
  return null;
}
