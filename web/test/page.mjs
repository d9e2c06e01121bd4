// Opens pages in Chromium and records their requests, errors and console output.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const pages = process.env.PAGES;
const executablePath = process.env.CHROMIUM || "/usr/bin/chromium";

/** Milliseconds after which something hangs, however busy the machine is. */
const limit = 180_000;

let browser;
export const start = async () => {
  browser = await chromium.launch({ executablePath, timeout: limit, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
};
export const stop = () => browser?.close();

/** Opens a page and returns it with its forbidden actions: every test ends with an empty list. */
export async function open(name, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
  page.setDefaultTimeout(limit);
  const wrong = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  const address = `file://${join(pages, name)}.html`;
  page.on("request", (request) => {
    if (request.url() !== address && !request.url().startsWith("data:")) wrong.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  return { page, wrong };
}

/** Opens a server's page and returns it with its forbidden actions. */
export async function visit(address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
  page.setDefaultTimeout(limit);
  const wrong = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(address).origin && !request.url().startsWith("data:")) wrong.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  return { page, wrong };
}

/** Returns the rows of a page's CSV, as objects. */
export async function csv(name) {
  const cells = (line) => [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/g)].map(([, quoted, bare]) => quoted ?? bare);
  const [head, ...lines] = (await readFile(join(pages, `${name}.csv`), "utf8")).trim().split("\n").map(cells);
  return lines.map((line) => Object.fromEntries(head.map((column, i) => [column, line[i]])));
}

/** Draws every chart that is waiting to become visible. */
export async function drawAll(page) {
  await page.evaluate(() => {
    dispatchEvent(new Event("beforeprint"));
    dispatchEvent(new Event("afterprint"));
  });
}

/** Returns what arrow keys announce of a chart, point by point. */
export async function read(chart, points) {
  const said = [];
  await chart.locator("svg").first().focus();
  for (let i = 0; i < points; i++) {
    await chart.page().keyboard.press("ArrowRight");
    said.push(await chart.locator(".said").first().textContent());
  }
  return said;
}
