// Functions of tables: sorting rows by a column, and filtering them by words.
import { make } from "./dom";
import { parsed } from "./format";

/** The number of rows from which a table gets a field to filter them. */
const minFilterRows = 8;

/** The maximum number of rows that are all in sight before the reader asks for it. */
const maxRows = 40;

/** Gives a table of many rows a height, within which it scrolls, until the reader asks for all of them. */
export function shorten(table: HTMLTableElement): void {
  const box = table.closest(".scroll:not(.whole)"), rows = table.tBodies[0]?.rows.length ?? 0;
  if (!box || rows <= maxRows) return;
  box.classList.add("tall");
  const more = make("button", { type: "button", class: "more" }, `Show all ${rows} rows`);
  more.addEventListener("click", () => {
    box.classList.remove("tall");
    more.remove();
  });
  box.after(more);
}

export function enhance(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  const heads = table.tHead?.rows[table.tHead.rows.length - 1];
  if (!body || !heads?.cells[0]?.textContent || body.rows.length < 2) return; // rows without a name belong to those above
  const original = [...body.rows];
  [...heads.cells].forEach((head, column) => {
    const button = make("button", { type: "button", class: "sort" }, ...head.childNodes);
    if (!button.textContent) return;
    head.append(button);
    button.addEventListener("click", () => sort(column, head));
  });

  function sort(column: number, head: HTMLTableCellElement): void {
    const next = { none: "ascending", ascending: "descending", descending: "none" }[head.getAttribute("aria-sort") ?? "none"]!;
    for (const cell of heads!.cells) cell.removeAttribute("aria-sort");
    if (next !== "none") head.setAttribute("aria-sort", next);
    table.classList.toggle("sorted", next !== "none");
    const text = (row: HTMLTableRowElement) => row.cells[column]?.textContent ?? "";
    const sign = next === "descending" ? -1 : 1;
    const rows = next === "none" ? original : [...original].sort((a, b) => {
      const [x, y] = [parsed(text(a)), parsed(text(b))];
      if (Number.isNaN(x) && Number.isNaN(y)) return sign * text(a).localeCompare(text(b));
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1; // missing values come last
      return sign * (x - y);
    });
    body!.append(...rows);
  }

  if (original.length < minFilterRows || "searched" in table.dataset) return;
  const field = make("input", { type: "search", placeholder: "Filter rows", "aria-label": "Filter rows", class: "filter" });
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of original) row.hidden = !words.every((word) => row.textContent!.toLowerCase().includes(word));
  });
  table.parentElement!.before(field);
}

/** Hides the rows of stacks that are switched off, in every table whose rows begin with a stack. */
export function hideStacks(root: ParentNode, off: Set<string>, all: Set<string>): void {
  for (const head of root.querySelectorAll<HTMLTableCellElement>("tbody th[scope=row]")) {
    const name = head.textContent!.trim();
    if (all.has(name)) (head.parentElement as HTMLElement).classList.toggle("off", off.has(name));
  }
}
