// The page of a report: it is readable without this script, which draws the charts and sorts the tables.
import { drawableOf, type Drawable } from "./case";
import { make } from "./dom";
import { usePaper } from "./figure";
import { follow } from "./live";
import { looksOf } from "./look";
import type { Report } from "./model";
import { enhance, hideStacks, shorten } from "./tables";

const report = (JSON.parse(document.getElementById("data")!.textContent!) ?? {}) as Report;
const shown = { report, looks: looksOf(report), off: new Set<number>() };
const waiting = new Set<Drawable>(); // until they are visible
const drawn = new Set<Drawable>();

function show(drawable: Drawable): void {
  waiting.delete(drawable);
  drawn.add(drawable);
  drawable.redraw();
}

function stackToggles(): void {
  const stacks = report.stacks ?? [];
  if (stacks.length < 2) return;
  const set = make("fieldset", { class: "stacks" }, make("legend", {}, "Stacks"));
  stacks.forEach((stack, i) => {
    const box = make("input", { type: "checkbox", checked: "" });
    box.addEventListener("change", () => {
      if (box.checked) shown.off.delete(i);
      else shown.off.add(i);
      hideStacks(document, new Set([...shown.off].map((at) => stacks[at]!.name)), new Set(stacks.map((s) => s.name)));
      for (const one of drawn) one.redraw();
    });
    const swatch = make("span", { class: `swatch ${stack.floor ? "floor" : `s${shown.looks[i]!.color.replace(/\D/g, "")}`}`, "aria-hidden": "true" });
    set.append(make("label", {}, box, swatch, stack.name));
  });
  document.querySelector("main")!.prepend(set);
}

function themeButton(): void {
  const button = make("button", { type: "button", class: "theme" });
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const name = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  name();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  document.querySelector("header")!.append(button);
}

stackToggles();
themeButton();
for (const table of document.querySelectorAll("table")) {
  enhance(table);
  shorten(table);
}
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    seen.unobserve(entry.target);
    for (const one of waiting) if (one.element === entry.target) show(one);
  }
}, { rootMargin: "400px" });
for (const section of document.querySelectorAll<HTMLElement>("section.chart")) {
  const drawable = drawableOf(section, shown);
  if (!drawable) continue;
  waiting.add(drawable);
  seen.observe(section);
}

let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === width) return;
  width = innerWidth;
  for (const one of drawn) one.redraw();
});
addEventListener("beforeprint", () => {
  usePaper(true);
  for (const one of [...drawn]) one.redraw();
  for (const one of [...waiting]) show(one);
});
addEventListener("afterprint", () => {
  usePaper(false);
  for (const one of drawn) one.redraw();
});
const live = document.querySelector<HTMLElement>("[data-live]");
if (live) follow(live, live.dataset.live!);
document.documentElement.dataset.ready = "";
