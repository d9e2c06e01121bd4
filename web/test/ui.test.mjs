// The pages of rpcbench ui: a list, reports, comparisons, histories, and a run in progress.
import assert from "node:assert/strict";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { drawAll, start, stop, visit } from "./page.mjs";

before(start);
after(stop);

const site = process.env.SITE, folder = process.env.FOLDER;
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = process.env.SHOTS;

/** Checks what holds for every page of the site: no error, nothing from elsewhere, a phone's width, and axe. */
async function sound({ page, wrong }, name) {
  if (shots) {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`) });
    }
    await page.emulateMedia({ colorScheme: "light" });
  }
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, `${name} is too wide for a phone`);
  if (shots) await page.screenshot({ path: join(shots, `${name}-phone.png`) });
  await page.setViewportSize(size);
  assert.deepEqual(wrong, []);
}

async function accessible(page) {
  await page.evaluate(axe);
  assert.deepEqual(await page.evaluate(async () => (await globalThis.axe.run()).violations
    .filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(" | ")}`)), []);
}

test("the list has every results file, a search, and neither the token nor anything without it", async () => {
  const at = await visit(site);
  const { page } = at;
  assert.equal(new URL(page.url()).search, "");
  assert.equal(await page.locator("tbody tr").count(), 40);
  const measured = () => page.locator("tbody td:nth-child(4)").allTextContents();
  const newest = await measured();
  assert.ok(newest[0] > newest.at(-1), `${newest}`);
  await page.getByRole("button", { name: /^measured/ }).click();
  assert.deepEqual(await measured(), [...newest].reverse());
  await page.getByRole("button", { name: /^measured/ }).click();
  assert.deepEqual(await measured(), newest);
  await page.getByRole("button", { name: /^measured/ }).click();
  await sound(at, "list");
  await page.getByRole("searchbox", { name: "Search results" }).fill("edge 03cafe");
  await page.getByRole("button", { name: "Search" }).click();
  assert.equal(await page.locator("tbody tr").count(), 1);
  await page.close();
  const stranger = await visit(new URL("/", site).href);
  assert.match(await stranger.page.locator("body").textContent(), /The token is missing or wrong/);
  await stranger.page.close();
});

test("the address is opened by a link of another site, too", async () => {
  const { page } = await visit(site);
  await page.context().clearCookies();
  await page.goto(`data:text/html,<a href="${site}">results</a>`);
  await page.getByRole("link").click();
  await page.waitForURL(new URL("/", site).href);
  assert.equal(await page.locator("h1").textContent(), "Results");
  await page.close();
});

test("a report is opened from the list, with its charts, and left again", async () => {
  const at = await visit(site);
  await at.page.locator("tbody th a").first().click();
  await at.page.locator("section.chart svg.plot").first().waitFor();
  assert.match(await at.page.locator("h1").textContent(), /How long does a call take/);
  await sound(at, "open");
  await at.page.getByRole("link", { name: "All results" }).click();
  assert.equal(await at.page.locator("h1").textContent(), "Results");
  await at.page.close();
});

test("results that are selected are compared", async () => {
  const at = await visit(site.replace("?", "?q=lab&"));
  const boxes = at.page.getByRole("checkbox");
  await boxes.nth(0).check(); // the newest, and the oldest
  await boxes.nth(19).check();
  await at.page.getByRole("button", { name: "Compare selected" }).click();
  await at.page.locator("section.chart svg.plot").first().waitFor();
  const answers = await at.page.evaluate(() => JSON.parse(document.getElementById("data").textContent).changes.map((f) => f.lines[0].ratio[0]));
  assert.ok(answers[0] > 1.1 && answers[0] < 1.2, `${answers}`);
  await sound(at, "compare");
  await at.page.close();
});

test("a history has a line for each machine, with each commit and its change", async () => {
  const at = await visit(site);
  await at.page.getByRole("link", { name: "History" }).click();
  await at.page.locator("section.chart svg.plot").first().waitFor();
  await drawAll(at.page);
  const charts = at.page.locator("section.chart");
  assert.equal(await charts.count(), 2);
  const marks = async (chart, selector) => chart.locator(selector).count();
  const of = async (host) => charts.filter({ hasText: `${host}: ` });
  const lab = await of("lab"), edge = await of("edge");
  assert.equal(await marks(lab, ".medians circle"), 20);
  assert.equal(await marks(lab, ".trials circle"), 100);
  assert.equal(await marks(lab, ".changes line"), 1);
  assert.equal(await marks(lab, ".levels line"), 2);
  assert.equal(await marks(edge, ".changes line"), 0);
  assert.match(await lab.locator("svg.plot").getAttribute("aria-label"), /\+1[45]\.\d% worse at 10cafe01/);
  const row = at.page.getByRole("table", { name: "Changes" }).locator("tbody tr");
  assert.equal(await row.count(), 1);
  assert.match(await row.textContent(), /10cafe012345.*\+1[45]\.\d%.*worse/);
  await at.page.getByRole("combobox", { name: "Metric" }).selectOption("calls_per_sec");
  await at.page.getByRole("button", { name: "Show" }).click();
  assert.match(await at.page.locator("h1").textContent(), /calls per sec over commits/);
  await drawAll(at.page);
  assert.equal(await at.page.locator(".changes line").count(), 1);
  await sound(at, "history");
  await at.page.close();
});

test("a commit that was not served has no time in a history", async () => {
  const at = await visit(site);
  await at.page.route("**/history", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/(<script[^>]*id="data"[^>]*>)([^]*?)(<\/script>)/, (_, begin, text, end) => {
      const data = JSON.parse(text);
      for (const of of data.history) {
        const last = of.steps.at(-1), one = of.steps.at(-2);
        last.figure = [null, null, null];
        last.trials = last.trials.map(() => null);
        one.figure[2] = one.trials[0] = null;
        of.changes = [{ at: of.steps.length - 1, before: of.steps[0].figure[0], after: null, worse: true }];
      }
      return begin + JSON.stringify(data).replaceAll("<", "\\u003c") + end;
    });
    await route.fulfill({ response, body });
  });
  await at.page.getByRole("link", { name: "History" }).click();
  await at.page.locator("section.chart svg.plot").first().waitFor();
  await drawAll(at.page);
  const chart = at.page.locator("section.chart").first();
  assert.equal(await chart.locator(".medians circle").count(), 19);
  assert.equal(await chart.locator(".trials circle").count(), 94);
  assert.equal(await chart.locator(".levels line").count(), 1);
  assert.deepEqual(await chart.locator(".unserved text").allTextContents(), ["∞"]);
  assert.match(await chart.locator("svg.plot").getAttribute("aria-label"), /∞ worse at 19cafe01/);
  await sound(at, "history-unserved");
  await at.page.close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious in the list and a history, ${colorScheme}`, async () => {
    const { page } = await visit(site, { colorScheme, bypassCSP: true });
    await page.locator("details.start summary").click();
    await accessible(page);
    await page.goto(new URL("/history", site).href);
    await drawAll(page);
    await accessible(page);
    await page.close();
  });
}

/** Starts a run, and waits for its first trial. The page's clock can be put forward. */
async function started(before = async () => {}) {
  const at = await visit(site);
  await at.page.clock.install();
  await before(at.page);
  const begin = at.page.locator("details.start");
  await begin.locator("summary").click();
  await begin.getByRole("combobox", { name: "Scenario" }).selectOption("quick");
  await begin.getByRole("button", { name: "Start" }).click();
  await at.page.getByText("1 of 3 trials measured.").waitFor();
  return at;
}

/** Lets the time pass in which a page that follows a run draws nothing. */
const rested = (page) => page.clock.fastForward(3_600_000);

test("a live page has charts again after results that could not be fetched", async () => {
  let lost;
  const { page } = await started(async (page) => {
    lost = page.waitForEvent("requestfailed");
    await page.route("**/model/*", (route) => route.abort(), { times: 1 });
  });
  await lost;
  await writeFile(join(folder, "go-1"), "");
  await page.getByText("2 of 3 trials measured.").waitFor();
  await rested(page);
  await page.locator("#charts svg.plot").first().waitFor();
  await writeFile(join(folder, "go-2"), "");
  await page.locator("[data-live][data-done]").waitFor();
  await page.close();
  await Promise.all(["go-1", "go-2"].map((name) => rm(join(folder, name))));
});

test("a live page whose last results could not be fetched says so, and draws them some seconds later", async () => {
  let models = 0;
  const { page } = await started((page) => page.clock.pauseAt(Date.now() + 3_600_000));
  await page.locator("#charts").getByRole("tab", { name: "Figures" }).click();
  const trials = page.locator("#charts .trials circle");
  await page.route("**/model/*", (route) => {
    models++;
    return route.fulfill({ status: 500 });
  });
  await rested(page);
  await Promise.all(["go-1", "go-2"].map((name) => writeFile(join(folder, name), "")));
  await page.getByText("The run is done: 3 of 3 trials. The charts could not be updated yet.").waitFor();
  const drawn = async () => [await trials.count(), await page.locator("[data-done]").count(), models];
  assert.deepEqual(await drawn(), [1, 0, 1]);
  await page.clock.fastForward(4900);
  assert.deepEqual(await drawn(), [1, 0, 1]);
  await page.unroute("**/model/*");
  await page.clock.fastForward(200);
  await page.locator("[data-live][data-done]").waitFor();
  assert.deepEqual(await drawn(), [3, 1, 1]);
  assert.equal(await page.locator("#state").textContent(), "The run is done: 3 of 3 trials.");
  await page.close();
  await Promise.all(["go-1", "go-2"].map((name) => rm(join(folder, name))));
});

/** What a live page says where trials are left, and no process has locked the results file. */
const hasEnded = "The run has ended: no rpcbench on this machine writes its results.";

/** Returns a writer of a results file with nine planned trials, of which it has some, and removes its file. */
async function written(name) {
  const [source] = (await readdir(folder)).filter((file) => file.endsWith(".jsonl"));
  const [head, ...trials] = (await readFile(join(folder, source), "utf8")).trim().split("\n");
  return {
    write: async (created, some, change = (lines) => lines) => {
      const { spec, repetition } = JSON.parse(trials[0]);
      const header = JSON.stringify({ ...JSON.parse(head), created, plan: Array(9).fill({ spec, repetition }) });
      await writeFile(join(folder, "next"), [header, ...change(trials.slice(0, some)), ""].join("\n"));
      await rename(join(folder, "next"), join(folder, name));
    },
    remove: () => rm(join(folder, name)),
  };
}

test("a live page rests 50 times as long as drawing took, draws nothing unseen, and draws once more at the end", async () => {
  let models = 0;
  const { page } = await started(async (page) => {
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.route("**/model/*", async (route) => {
      models++;
      await page.clock.fastForward(1000);
      await route.continue();
    });
  });
  const show = (hidden) => page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
  await page.locator("#charts").getByRole("tab", { name: "Figures" }).click();
  const trials = page.locator("#charts .trials circle");
  assert.deepEqual([await trials.count(), models], [1, 1]);
  await writeFile(join(folder, "go-1"), "");
  await page.getByText("2 of 3 trials measured.").waitFor();
  await page.clock.fastForward(49_000);
  assert.deepEqual([await trials.count(), models], [1, 1]);
  const state = () => page.locator("#state").textContent();
  assert.equal(await state(), "2 of 3 trials measured. The charts have the first trial.");
  await show(true);
  await page.clock.fastForward(2000);
  assert.deepEqual([await trials.count(), models], [1, 1]);
  await show(false);
  await trials.nth(1).waitFor();
  assert.equal(models, 2);
  await page.getByText(/^2 of 3 trials measured\.$/).waitFor();
  await writeFile(join(folder, "go-2"), "");
  await trials.nth(2).waitFor();
  assert.equal(models, 3);
  await page.close();
  await Promise.all(["go-1", "go-2"].map((name) => rm(join(folder, name))));
});

test("a live page keeps what the reader has chosen, and the focus, with each trial", async () => {
  const { page, wrong } = await started();
  const charts = page.locator("#charts");
  const chosen = (name) => charts.getByRole("combobox", { name }).evaluate((choice) => choice.selectedOptions[0].text);
  const focused = () => page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.textContent);
  await charts.getByRole("tab", { name: "Figures" }).click();
  await charts.getByRole("combobox", { name: /^Metric/ }).selectOption("calls per sec");
  await charts.getByRole("combobox", { name: /^Metric/ }).focus();
  await charts.evaluate((at) => { at.firstChild.dataset.old = ""; });
  await writeFile(join(folder, "go-1"), "");
  await page.getByText("2 of 3 trials measured.").waitFor();
  await rested(page);
  await page.locator("[data-old]").waitFor({ state: "detached" });
  assert.equal(await chosen(/^Metric/), "calls per sec");
  assert.match(await charts.locator("svg.plot").first().getAttribute("aria-label"), /^calls per sec of/);
  assert.match(await focused(), /^Metric of/);
  await charts.getByRole("tab", { name: "Over time" }).click();
  await charts.getByRole("combobox", { name: /^Trial/ }).selectOption("trial 2");
  await charts.getByRole("tab", { name: "Over time" }).focus();
  await charts.evaluate((at) => { at.firstChild.dataset.old = ""; });
  await writeFile(join(folder, "go-2"), "");
  await page.locator("[data-live][data-done]").waitFor();
  assert.equal(await page.locator("[data-old]").count(), 0);
  assert.equal(await chosen(/^Trial/), "trial 2");
  assert.equal(await charts.locator("svg.plot").first().locator(".line path").count(), 1);
  assert.equal(await focused(), "Over time");
  await charts.getByRole("tab", { name: "Figures" }).click();
  assert.equal(await chosen(/^Metric/), "calls per sec");
  assert.deepEqual(wrong, []);
  await page.close();
  await Promise.all(["go-1", "go-2"].map((name) => rm(join(folder, name))));
});

test("a live page begins anew with another results file of the same name, whatever its size", async () => {
  const file = await written("replaced.jsonl");
  await file.write("2026-11-28T11:01:00Z", 5);
  const { page, wrong } = await visit(site);
  await page.clock.install();
  await page.goto(new URL("/live/replaced.jsonl", site).href);
  await page.getByText("5 of 9 trials measured.").waitFor();
  await page.locator("#charts svg.plot").first().waitFor();
  await page.evaluate(() => { document.querySelector("#charts section").dataset.old = ""; });
  await file.write("2026-11-28T11:02:00Z", 5);
  await page.locator("[data-old]").waitFor({ state: "detached" });
  await rested(page);
  await page.locator("#charts section:not([data-old]) svg.plot").first().waitFor();
  await file.write("2026-11-28T11:03:00Z", 0);
  await page.getByText(`No trial was measured. ${hasEnded}`).waitFor();
  assert.equal(await page.locator("#charts section").count(), 0);
  assert.deepEqual(wrong, []);
  await page.close();
  await file.remove();
});

test("a live page says which trials failed, and has a link to the report from the first trial on", async () => {
  const file = await written("failed.jsonl");
  await file.write("2026-11-28T11:01:00Z", 0);
  const { page, wrong } = await visit(site);
  await page.goto(new URL("/live/failed.jsonl", site).href);
  await page.getByText(`No trial was measured. ${hasEnded}`).waitFor();
  assert.equal(await page.getByRole("link", { name: "Open the report" }).isVisible(), false);
  const fail = (line) => JSON.stringify({ ...JSON.parse(line), status: "failed" });
  await file.write("2026-11-28T11:01:00Z", 5, ([first, ...others]) => [...others, fail(first)]);
  await page.getByText(`4 of 9 trials measured, 1 failed. ${hasEnded}`).waitFor();
  assert.equal(await page.getByRole("link", { name: "Open the report" }).isVisible(), true);
  assert.deepEqual(wrong, []);
  await page.close();
  await file.remove();
});

test("a live page says that it has lost rpcbench, and goes on when it is back", async () => {
  const file = await written("lost.jsonl");
  await file.write("2026-11-28T11:01:00Z", 5);
  const { page } = await visit(site);
  await page.route("**/events/*", (route) => route.abort());
  await page.goto(new URL("/live/lost.jsonl", site).href);
  await page.getByText("The connection to rpcbench is lost. This page goes on when it is back.").waitFor();
  await page.unroute("**/events/*");
  await page.getByText("5 of 9 trials measured.").waitFor();
  await page.route("**/events/*", (route) => route.fulfill({ status: 401 }));
  await page.reload();
  await page.getByText("The connection to rpcbench is lost. Reload this page.").waitFor();
  await page.close();
  await file.remove();
});

test("a run is started, followed trial by trial to its end, and opened", async () => {
  const at = await started();
  const { page } = at;
  await page.locator("#charts").getByRole("tab", { name: "Figures" }).click(); // a single row begins with its percentiles
  assert.equal(await page.locator("#charts .trials circle").count(), 1);
  assert.equal(await page.locator("#said").textContent(), "3 trials, about 1s, into <b>results</b>");
  await writeFile(join(folder, "go-1"), "");
  await page.getByText("2 of 3 trials measured.").waitFor();
  await rested(page);
  await page.waitForFunction(() => document.querySelectorAll("#charts .trials circle").length === 2);
  await sound(at, "live"); // and the chosen tab was kept
  await page.locator("#charts").getByRole("tab", { name: "Histogram" }).click();
  await writeFile(join(folder, "go-2"), "");
  await page.getByText("The run is done: 3 of 3 trials.").waitFor();
  await page.locator("[data-live][data-done]").waitFor();
  assert.equal(await page.locator("#charts [role=tab][aria-selected=true]").first().textContent(), "Histogram"); // as chosen
  assert.equal(await page.getByRole("button", { name: "Cancel" }).count(), 0);
  await page.getByRole("link", { name: "Open the report" }).click();
  await page.locator("section.chart svg.plot").first().waitFor();
  assert.deepEqual(at.wrong, []);
  await page.close();
  await Promise.all(["go-1", "go-2"].map((name) => rm(join(folder, name))));
});

test("a run is cancelled, what was measured is kept, and a second one waits for the first", async () => {
  const at = await started();
  const { page } = at;
  const busy = await page.evaluate(async () => {
    const answer = await fetch("../runs", { method: "POST", body: new URLSearchParams({ scenario: "quick" }) });
    return [answer.status, await answer.text()];
  });
  assert.equal(busy[0], 409);
  assert.match(busy[1], /two at once would disturb each other/);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("The run was cancelled; what was measured until then is kept: 1 of 3 trials.").waitFor();
  await page.getByRole("link", { name: "Open the report" }).click();
  await page.locator("section.chart svg.plot").first().waitFor();
  assert.deepEqual(at.wrong.filter((line) => !line.includes("409")), []);
  await page.close();
});
