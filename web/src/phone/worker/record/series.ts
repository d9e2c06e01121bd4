import { Histogram } from "./histogram";

export interface Window {
  startNs: number;
  endNs: number;
  response: Histogram;
}

/** Keeps the windows of a phase of any length: when there are too many, neighbors merge and later windows are as long. */
export class Series {
  kept: Window[] = [];
  private width = 1; // how many added windows make a kept one
  private pending = 0; // how many the last one has so far

  /** The maximum number of windows; 0 keeps none. */
  constructor(private readonly maxWindows: number) {}

  add(startNs: number, endNs: number, response: Histogram): void {
    if (this.maxWindows === 0 || (response.calls === 0 && this.kept.length === 0 && startNs === endNs)) return;
    const last = this.kept.at(-1);
    if (last && this.pending < this.width) {
      last.response.add(response);
      last.endNs = endNs;
      this.pending++;
      return;
    }
    const copy = new Histogram();
    copy.add(response);
    this.kept.push({ startNs, endNs, response: copy });
    this.pending = 1;
    if (this.kept.length > this.maxWindows) this.halve();
  }

  /** Merges neighbors. An odd last window waits for its neighbor. */
  private halve(): void {
    const merged: Window[] = [];
    for (let i = 0; i < this.kept.length; i += 2) {
      const [one, next] = [this.kept[i]!, this.kept[i + 1]];
      if (next) {
        one.response.add(next.response);
        one.endNs = next.endNs;
      }
      merged.push(one);
    }
    if (this.kept.length % 2 === 0) this.pending += this.width;
    this.width *= 2;
    this.kept = merged;
  }
}
