// A chart on the page: its frame, its text for screen readers, and its points by pointer or arrow keys.
import * as Plot from "@observablehq/plot";

/** A point whose figures can be shown. */
export interface Spot {
  x: number | string;
  y: number | string;
  fy?: string;
  words: string;
}

export interface Drawing {
  options: Plot.PlotOptions;
  spots: Spot[];
  name: string; // for screen readers
}

const still = matchMedia("print");

/** The width of a page of paper, in CSS pixels; a browser scales down what is wider, with its text. */
const paperWidth = 690;
let forPaper = false;

/** Draws charts for paper until this is called with false. */
export function usePaper(on: boolean): void {
  forPaper = on;
}

/** Tells whether charts are drawn for paper, on which nothing can be opened. */
export const isForPaper = (): boolean => forPaper;

/** Returns an element's width for drawing. An element without one is drawn at a usual width, and again once it has one. */
export const widthOf = (of: HTMLElement): number => (forPaper ? paperWidth : Math.max(of.clientWidth || 640, 280));

/** The width of a character in ems, of the widest of the usual fonts, and more than that of most texts. */
const charWidth = 0.62;

/** How much wider a text of the widest of the usual fonts is than the chart library reckons. */
const wider = { normal: 1.15, bold: 1.32 };

/** Returns options of a text that ends with an ellipsis if it is wider than its room. */
export const cut = (room: number, size: number, weight: keyof typeof wider = "normal") =>
  ({ fontSize: size, fontWeight: weight, lineWidth: room / size / wider[weight], textOverflow: "ellipsis" as const });

/** Returns how many lines a text takes within a width, at most. */
export const linesOf = (text: string, room: number, size = 12): number => Math.max(Math.ceil((text.length * charWidth * size) / room), 1);

/** Returns the margin in which the texts beside an axis have room: the usual one, or more. */
export const marginOf = (texts: string[], usual = 58): number =>
  Math.max(usual, ...texts.map((text) => Math.ceil(text.length * charWidth * 12) + 6));

/** Draws into an element, which it empties. */
export function draw(into: HTMLElement, drawing: Drawing): SVGSVGElement {
  const { options, spots, name } = drawing;
  const width = widthOf(into);
  const marks = [...(options.marks ?? [])];
  if (spots.length > 0 && !still.matches) {
    marks.push(
      Plot.tip(
        spots,
        Plot.pointer({
          x: "x", y: "y", fy: spots[0]!.fy === undefined ? undefined : "fy",
          title: "words", maxRadius: 60, lineWidth: width < 500 ? 22 : 34, fontSize: 12,
          fill: "var(--paper)", stroke: "var(--rule)",
        } as Plot.TipOptions),
      ),
    );
  }
  const svg = Plot.plot({
    width, className: "plot", style: { fontFamily: "inherit", fontSize: "12px", background: "none", overflow: "visible" },
    ...options, marks,
  }) as unknown as SVGSVGElement;
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", name + (spots.length ? `. ${spots.length} points; arrow keys read them` : ""));
  // The names of a picture's parts are for tests: a picture has one accessible name, and its groups can't have others.
  for (const part of svg.querySelectorAll("[aria-label]")) {
    part.setAttribute("data-part", part.getAttribute("aria-label")!);
    part.removeAttribute("aria-label");
  }
  into.replaceChildren(svg);
  if (spots.length) keys(svg, spots, into);
  return svg;
}

/** Makes arrow keys move from point to point, showing and announcing its figures. */
function keys(svg: SVGSVGElement, spots: Spot[], into: HTMLElement): void {
  const said = document.createElement("p");
  said.className = "said";
  said.setAttribute("aria-live", "polite");
  into.append(said);
  svg.setAttribute("tabindex", "0");
  let at = -1;
  svg.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") svg.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" }));
    if (step === undefined) return;
    event.preventDefault();
    at = (at + step + spots.length) % spots.length;
    const spot = spots[at]!;
    said.textContent = spot.words.replaceAll("\n", ", ");
    const place = placeOf(svg, spot);
    for (const type of ["pointerenter", "pointermove"]) {
      svg.dispatchEvent(new PointerEvent(type, { pointerType: "mouse", clientX: place[0], clientY: place[1], bubbles: true }));
    }
  });
}

function placeOf(svg: SVGSVGElement, spot: Spot): [number, number] {
  const scale = (svg as unknown as Plot.Plot).scale.bind(svg as unknown as Plot.Plot);
  const along = (name: "x" | "y", value: number | string) => {
    const found = scale(name)!;
    return found.apply(value as never) + (found.bandwidth ?? 0) / 2;
  };
  const box = svg.getBoundingClientRect();
  const by = box.width / Number(svg.getAttribute("width"));
  const facet = spot.fy === undefined ? 0 : (scale("fy")!.apply(spot.fy as never) as number) - topOf(svg);
  return [box.left + along("x", spot.x) * by, box.top + (along("y", spot.y) + facet) * by];
}

// The y scale of a plot with facets has the position of the first facet.
function topOf(svg: SVGSVGElement): number {
  const fy = (svg as unknown as Plot.Plot).scale("fy")!;
  return Math.min(...(fy.domain as string[]).map((name) => fy.apply(name as never) as number));
}
