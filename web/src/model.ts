// The data that internal/report/model writes into the page.

export interface Report {
  metrics: Metric[] | null;
  stacks: Stack[] | null;
  rows: Row[] | null;
  cases: Case[] | null;
  published?: Panel[];
  changes?: Family[];
  metric?: Metric; // of history
  history?: Trend[];
}

/** A figure, null where it lies among calls that were not served. */
export type Served = number | null;

/** A point on one machine and branch, commit by commit. */
export interface Trend {
  point: string;
  steps: { commit: string; at: string; figure: [Served, Served, Served]; trials: Served[] }[];
  changes: { at: number; before: Served; after: Served; worse: boolean }[];
}

export interface Metric {
  name: string;
  label: string;
  unit: string;
  higher?: boolean; // is better
  host?: boolean; // of the machine
}

export interface Stack {
  name: string;
  floor?: boolean;
}

export interface Case {
  title: string;
  headline: number; // of metrics
  axis?: Axis;
  rows: Place[];
  spread: string;
  open?: boolean;
}

/** What the rows of a case vary along. */
export interface Axis {
  label: string;
  unit: string;
}

export interface Place {
  row: number;
  point?: string;
  server?: string;
  x?: number;
}

/** Median, and the ends of its spread. */
export type Figure = [number, number, number];

export interface Row {
  stack: number;
  verdict: string;
  why?: string;
  calls: number;
  figures: (Figure | null)[];
  trials: Trial[];
  curve?: [number, number, number, number][]; // 1000/(1−q), median, lo, hi
  bins?: [number, number][];
}

export interface Trial {
  rep: number;
  at: number; // ms
  verdict: string;
  values: (number | null)[];
  course?: Course;
}

export interface Course {
  end: number[]; // ms
  ok: number[]; // a second
  errors?: number[];
  inflight: number[];
  mean?: number[];
  seconds?: [number, number, number, number, number][]; // ms, p50, p90, p99, max
  each?: number; // seconds that share one of them, where there are several
  heat?: { end: number[]; cells: [number, number, number][] };
  processes?: Process[];
  hosts?: Host[];
}

export interface Process {
  name: string;
  end: number[]; // ms
  cpu: number[]; // processors
  pause?: number[]; // ns a second
  heap?: number[]; // B
}

export interface Host {
  name: string;
  end: number[]; // ms
  hiccup: number[]; // ns
  busy?: number[]; // processors
  steal?: number[];
}

export interface Family {
  metric: string;
  unit: string;
  higher?: boolean;
  base: string;
  same: number;
  lines: Change[];
}

export interface Change {
  point: string;
  side: string;
  a: [Served, Served, Served, number];
  b: [Served, Served, Served, number];
  ratio?: [number, number, number];
  answer: "better" | "worse" | "same" | "inconclusive";
}

export interface Panel {
  title: string;
  unit: string;
  lines: { case: string; stack: string; published: number; measured: [number, number, number, number] }[];
}

/** The height in bins of a heat map's cell. */
export const heatBins = 2;

/** Returns the lower end of a bin, in ns; as bin in internal/report/model. */
export const binStart = (bin: number): number => 10 ** (bin / 20);
