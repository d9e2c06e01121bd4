// The look of stacks in every chart: a color, a dash and a symbol, so that everyone can distinguish them, also in gray.
import type { Report, Stack } from "./model";

export interface Look {
  color: string;
  dash: string;
  symbol: "circle" | "square" | "triangle" | "diamond" | "star" | "cross" | "wye" | "times";
}

const dashes = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2", "1 2", "14 3 3 3"];
const symbols: Look["symbol"][] = ["circle", "square", "triangle", "diamond", "star", "cross", "wye", "times"];

export function looksOf(report: Report): Look[] {
  let next = 0;
  return (report.stacks ?? []).map((stack: Stack) => {
    if (stack.floor) return { color: "var(--floor)", dash: "2 3", symbol: "circle" };
    const i = next++;
    return { color: `var(--s${i % 8})`, dash: dashes[i % dashes.length]!, symbol: symbols[i % symbols.length]! };
  });
}
