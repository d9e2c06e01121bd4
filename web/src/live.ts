// Follows a run: its progress, its output, and charts of the results so far.
import { caseCharts, casesOf } from "./case";
import { make } from "./dom";
import { count } from "./format";
import { looksOf } from "./look";
import type { Report } from "./model";

interface State {
  trials: number;
  failed: number;
  planned: number;
  created: string;
  said: string[];
  done: boolean;
  state?: string;
  stopped: boolean;
}

function wordsOf(state: State): string {
  const all = state.planned ? ` of ${state.planned}` : "";
  const some = `${state.trials}${all} trial${(state.planned || state.trials) === 1 ? "" : "s"}`;
  const failed = state.failed ? `, ${state.failed} failed` : "";
  if (state.done) return `The run ${state.state || "is done"}: ${some}${failed}.`;
  const none = state.stopped ? "No trial was measured." : "Waiting for the first trial.";
  const measured = state.trials || state.failed ? `${some} measured${failed}.` : none;
  return state.stopped ? `${measured} The run has ended: no rpcbench on this machine writes its results.` : measured;
}

/** How many times as long as a drawing took pass before the next begins: it takes processors from the trials that it follows. */
const pause = 50;

/** Milliseconds until a drawing that failed is repeated. */
const untilRepeated = 5000;

export function follow(root: HTMLElement, name: string): void {
  const part = <T extends HTMLElement>(id: string) => root.querySelector<T>(`#${id}`);
  const path = encodeURIComponent(name);
  const events = new EventSource(`../events/${path}`);
  let created = ""; // when the results file was
  let wanted = "", drawn = ""; // which trials the charts are to be of, and are
  let isDone = false, isDrawing = false, hasFailed = false; // drawing
  let words = ""; // about the run
  let trials = 0, shown = 0; // how many trials were measured, and how many the charts have
  let timer = 0, next = 0; // when drawing may begin
  events.onerror = () => {
    words = `The connection to rpcbench is lost. ${events.readyState === EventSource.CLOSED
      ? "Reload this page." : "This page goes on when it is back."}`;
    say();
  };
  events.onmessage = (event: MessageEvent<string>) => {
    const state = JSON.parse(event.data) as State;
    if (state.created !== created) { // another file has that name now
      created = state.created;
      hasFailed = false;
      part("charts")!.replaceChildren();
      shown = 0;
    }
    words = wordsOf(state);
    trials = state.trials;
    say();
    part("done")!.hidden = !state.trials && !state.failed;
    const bar = part<HTMLProgressElement>("progress")!;
    if (state.planned) {
      bar.max = state.planned;
      bar.value = Math.min(state.trials, state.planned);
    }
    const said = part("said")!;
    said.hidden = !state.said?.length;
    said.textContent = (state.said ?? []).join("\n");
    wanted = state.trials ? `${state.trials} of ${state.created}` : "";
    if (state.done) {
      events.close();
      if (!state.planned) bar.hidden = true;
      part("cancel")?.remove();
      isDone = true;
    }
    update();
  };
  document.addEventListener("visibilitychange", update);

  function say(): void {
    const late = shown && shown < trials && !hasFailed ? ` The charts have the first ${shown > 1 ? count(shown, "trial") : "trial"}.` : "";
    const all = words + late + (hasFailed ? " The charts could not be updated yet." : "");
    const state = part("state")!;
    if (state.textContent !== all) state.textContent = all; // a screen reader reads it again
  }

  /** Draws charts when there is something new to see, and the run can be disturbed again. */
  function update(): void {
    clearTimeout(timer);
    if (isDrawing || document.hidden) return;
    if (!wanted || wanted === drawn) {
      if (isDone) root.dataset.done = "";
      return;
    }
    const wait = isDone && !hasFailed ? 0 : next - performance.now();
    if (wait > 0) timer = setTimeout(update, wait);
    else void redraw();
  }
  async function redraw(): Promise<void> {
    const begin = performance.now(), of = created, before = trials;
    isDrawing = true;
    drawn = wanted;
    try {
      if (await charts(part("charts")!, path, () => of === created)) shown = before;
      hasFailed = false;
    } catch (error) {
      console.error(error); // the next may succeed
      drawn = "";
      hasFailed = of === created;
    }
    isDrawing = false;
    say();
    const end = performance.now();
    next = end + Math.max(pause * (end - begin), hasFailed ? untilRepeated : 0);
    update();
  }
}

/**
 * Draws the results so far, unless those of another file are wanted meanwhile, or fails. What the reader has chosen stays. Tells
 * whether it has drawn.
 */
async function charts(into: HTMLElement, path: string, isWanted: () => boolean): Promise<boolean> {
  const answer = await fetch(`../model/${path}`);
  if (!answer.ok) throw new Error(`The results could not be fetched: ${answer.status} ${answer.statusText}`);
  const report = (await answer.json()) as Report;
  if (!isWanted()) return false;
  const shown = { report, looks: looksOf(report), off: new Set<number>() };
  const before = new Map([...into.children].map((section) => [titleOf(section), choicesOf(section)]));
  const made = casesOf(report).map((one, i) => {
    const section = make("section", { class: "chart" }, make("h2", { class: "part" }, one.title));
    return { drawable: caseCharts(section, shown, one, i), section };
  });
  into.replaceChildren(...made.map((m) => m.section));
  for (const { drawable, section } of made) {
    drawable.redraw();
    const choices = before.get(titleOf(section));
    if (choices) choose(section, choices);
  }
  return true;
}

/** What the reader has chosen in the charts of a case, in words: numbers of rows and metrics change with the results. */
interface Choices {
  tab?: string | null;
  options: Map<string | null, string | undefined>; // by the names of the lists
  focus?: string; // a selector
  number: number; // of those that it selects
}

const titleOf = (section: Element): string | null => section.querySelector("h2")!.textContent;

function choicesOf(section: Element): Choices {
  const focused = section.querySelector(":focus");
  const focus = focused?.matches("[role=tab]") ? "[aria-selected=true]" : focused?.tagName;
  return {
    tab: section.querySelector("[aria-selected=true]")?.textContent,
    options: new Map([...section.querySelectorAll("select")]
      .map((list) => [list.getAttribute("aria-label"), list.selectedOptions[0]?.text])),
    focus,
    number: focus ? [...section.querySelectorAll(focus)].indexOf(focused!) : 0,
  };
}

function choose(section: HTMLElement, { tab, options, focus, number }: Choices): void {
  [...section.querySelectorAll<HTMLElement>("[role=tab][aria-selected=false]")].find((one) => one.textContent === tab)?.click();
  for (const list of section.querySelectorAll("select")) { // of rows before trials, which depend on them
    const option = [...list.options].find((one) => one.text === options.get(list.getAttribute("aria-label")));
    if (!option || option.selected) continue;
    option.selected = true;
    list.dispatchEvent(new Event("change"));
  }
  if (focus) section.querySelectorAll<HTMLElement>(focus)[number]?.focus({ preventScroll: true });
}
