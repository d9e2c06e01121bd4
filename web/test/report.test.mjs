import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { csv, drawAll, open, pages, read, start, stop } from "./page.mjs";

before(start);
after(stop);

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const everyPage = ["quick", "rows", "names", "batch", "codec", "open", "load", "long", "published", "compare", "hostile", "thousand", "clients", "fleet", "capacity", "ab", "servers"];
const model = (page) => page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
const count = (root, selector) => root.locator(selector).count();

/** Returns what texts of charts cover, and where they leave their charts. */
const misplaced = (page) => page.evaluate(() => {
  const slack = 3; // pixels: boxes of text are higher and wider than what is drawn
  return [...document.querySelectorAll("svg.plot")].flatMap((svg) => {
    const chart = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].filter((t) => t.textContent.trim() && !t.closest("[data-part=tip]"))
      .map((t) => ({ text: t.textContent, box: t.getBoundingClientRect() }));
    const leaves = texts.filter(({ box }) => box.left < chart.left - slack || box.right > chart.right + slack
      || box.top < chart.top - slack || box.bottom > chart.bottom + slack).map(({ text }) => `"${text}" leaves its chart`);
    const covers = texts.flatMap((a, i) => texts.slice(i + 1).filter((b) =>
      Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > slack
      && Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > slack).map((b) => `"${a.text}" covers "${b.text}"`));
    return [...leaves, ...covers];
  });
});

for (const name of everyPage.filter((name) => !["thousand", "hostile"].includes(name))) {
  test(`no text of a chart of ${name} leaves it or covers another, on a phone and on a screen`, async () => {
    for (const width of [360, 1200]) {
      const { page } = await open(name, { viewport: { width, height: 900 } });
      await drawAll(page);
      const labels = new Set(await page.getByRole("tab").allTextContents());
      for (const label of labels.size ? labels : [""]) {
        for (const tab of label ? await page.getByRole("tab", { name: label, exact: true }).all() : []) await tab.click();
        assert.deepEqual(await misplaced(page), [], `${label} at ${width}`);
      }
      await page.close();
    }
  });
}

test("rates of bytes have their unit, for which there is room", async () => {
  for (const [name, metric] of [["batch", "payload mb per sec"], ["codec", "operation mb per sec"]]) {
    for (const width of [360, 1200]) {
      const { page } = await open(name, { viewport: { width, height: 900 } });
      await drawAll(page);
      for (const choice of await page.getByRole("combobox", { name: /^Metric/ }).all()) await choice.selectOption(metric);
      assert.deepEqual(await misplaced(page), [], `${name} at ${width}`);
      const ticks = await page.locator("[data-part$='-axis tick label'] text").allTextContents();
      assert.ok(ticks.filter((text) => / [kMG]B\/s$/.test(text)).length > 1, `${name} at ${width}: ${ticks}`);
      await page.close();
    }
  }
});

for (const name of everyPage) {
  test(`${name} draws its charts, asks for nothing elsewhere, has no error, and fits a phone`, async () => {
    const { page, wrong } = await open(name);
    await drawAll(page);
    assert.ok((await count(page, "section.chart svg.plot")) > 0);
    assert.equal(await page.locator("section.chart").count(), await page.locator("section.chart:has(.panel svg)").count());
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    assert.deepEqual(wrong, []);
    await page.close();
  });
}

test("the chart of a case has a dot for each trial, and a median and a figure for each row", async () => {
  const { page, wrong } = await open("quick");
  await drawAll(page);
  const data = await model(page);
  for (const [i, one] of data.cases.entries()) {
    const rows = one.rows.map((place) => data.rows[place.row]).filter((row) => row.figures[one.headline]);
    const chart = page.locator("section.chart").nth(i);
    const trials = rows.flatMap((row) => row.trials).filter((t) => t.values[one.headline] !== null);
    assert.equal(await count(chart, ".trials circle"), trials.length, one.title);
    assert.equal(await count(chart, ".medians line"), rows.length, one.title);
    assert.equal(await count(chart, ".figures text"), rows.length, one.title);
  }
  assert.deepEqual(wrong, []);
  await page.close();
});

test("the figures that a chart says are those of the CSV", async () => {
  const { page } = await open("quick");
  const records = (await csv("quick")).filter((r) => r.kind === "unary" && r.load === "closed" && r.in_flight === "1");
  assert.ok(records.length >= 3);
  const chart = page.locator("section.chart").nth(1);
  await chart.scrollIntoViewIfNeeded();
  await chart.locator("svg.plot").first().waitFor();
  const said = await read(chart, records.length);
  for (const record of records) {
    const line = said.find((text) => text.split(/[ ,]/)[0] === record.stack);
    assert.ok(line, `${record.stack} is not among ${said}`);
    const digits = (text) => Number(text.replaceAll(",", ""));
    assert.equal(digits(/response p50: ([\d,]+) ns/.exec(line)[1]), Number(record.response_p50_ns));
    const [, lo, hi] = /([\d,]+) ns – ([\d,]+) ns/.exec(line);
    assert.deepEqual([digits(lo), digits(hi)], [Number(record.response_p50_ns_lo), Number(record.response_p50_ns_hi)]);
    assert.match(line, new RegExp(`n = ${record.trials} trial`));
  }
  await page.close();
});

test("every metric of a chart's choice has the CSV's medians", async () => {
  const { page } = await open("quick");
  const data = await model(page);
  const records = await csv("quick");
  let compared = 0;
  data.rows.forEach((row, i) => {
    for (const [at, metric] of data.metrics.entries()) {
      if (!(metric.name in records[i])) continue;
      const figure = row.figures[at];
      assert.equal(figure ? figure[0] : null, records[i][metric.name] === "" ? null : Number(records[i][metric.name]), metric.name);
      compared++;
    }
  });
  assert.ok(compared > 200);
  await page.close();
});

test("a case along batches has a line for each stack, over an axis with what was measured", async () => {
  const { page } = await open("batch");
  const chart = page.locator("section.chart").first();
  await chart.locator("svg.plot").waitFor();
  assert.equal(await count(chart, ".line path"), 3);
  assert.equal(await count(chart, ".medians path, .medians circle"), 12);
  assert.equal(await count(chart, ".trials circle"), 36);
  const ticks = await chart.locator("[data-part='x-axis tick label'] text").allTextContents();
  assert.deepEqual(ticks, ["1", "10", "100", "1,000"]);
  assert.deepEqual((await chart.locator(".names text").allTextContents()).sort(), ["connect-go", "grpc-go", "tcp (floor)"]);
  await page.close();
});

test("distributions of many points are drawn one point at a time", async () => {
  const { page } = await open("batch");
  const chart = page.locator("section.chart").first();
  await chart.getByRole("tab", { name: "Percentiles" }).click();
  assert.equal(await count(chart, ".line path"), 3);
  const choice = chart.getByRole("combobox", { name: /^Point/ });
  assert.deepEqual(await choice.locator("option").allTextContents(), ["batch 1", "batch 10", "batch 100", "batch 1,000"]);
  await choice.selectOption("batch 1,000");
  const data = await model(page);
  const last = data.rows[data.cases[0].rows.find((place) => place.x === 1000).row];
  assert.match(await chart.locator("svg.plot").getAttribute("aria-label"), new RegExp(`${data.stacks[last.stack].name.replace(/[()]/g, ".")}`));
  await chart.getByRole("tab", { name: "Histogram" }).click();
  const bins = data.cases[0].rows.filter((place) => place.x === 1000).reduce((sum, place) => sum + data.rows[place.row].bins.length, 0);
  assert.equal(await count(chart, ".bins rect"), bins);
  await page.close();
});

test("an open load at several rates is drawn over the offered rate", async () => {
  const { page } = await open("open");
  const chart = page.locator("section.chart").first();
  await chart.locator("svg.plot").waitFor();
  assert.equal(await count(chart, ".line path"), 2);
  assert.match(await chart.locator("svg.plot").getAttribute("aria-label"), /response p99 along offered calls per second/);
  await page.close();
});

test("each tab draws what it is named for", async () => {
  const { page, wrong } = await open("load");
  const chart = page.locator("section.chart").first();
  const data = await model(page);
  const row = data.rows[0];
  const marks = async (tab, selector) => {
    await chart.getByRole("tab", { name: tab }).click();
    return count(chart, selector);
  };
  assert.equal(await chart.getByRole("tab", { selected: true }).textContent(), "Percentiles");
  assert.equal(await marks("Figures", ".trials circle"), 1);
  assert.equal(await marks("Percentiles", ".line path"), 1);
  assert.equal(await marks("Histogram", ".bins rect"), row.bins.length);
  const panels = async () => (await chart.locator("svg.plot").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))).map((name) => name.split(" over time")[0]);
  await chart.getByRole("tab", { name: "Over time" }).click();
  assert.deepEqual(await panels(), ["OK calls per second",
    "Response by second: p50 solid, p90 long dashes, p99 short dashes, longest dotted", "Geometric mean of the response in each interval",
    "Processors in use, client", "Pauses of garbage collection in a second, client", "Heap in use, client",
    "Longest hiccup of the machine in a second, this machine", "Processors that the machine had busy, this machine",
    "Processors that other virtual machines took, this machine"]);
  assert.equal(await count(chart, ".line path"), 12); // OK; p50, p90, p99 and the maximum; the others have one each
  const pauses = chart.locator(".frame").nth(4);
  assert.deepEqual((await read(pauses, 2)).map((text) => text.split(", ").at(-1)), ["0 ns", "16,000,000 ns"]); // 2 ms in an eighth of a second
  const hiccups = chart.locator(".frame").nth(6);
  assert.deepEqual((await read(hiccups, 2)).map((text) => text.split(", ").at(-1)), ["80,000 ns", "40,000,000 ns"]);
  assert.equal(await marks("Heat map", ".cells rect"), row.trials[0].course.heat.cells.length);
  assert.equal(await marks("CPU", ".parts rect"), 2); // of the client, and its pacer: the server is not ours
  assert.equal(await marks("Bytes", ".parts rect"), 2);
  assert.equal(row.bins.reduce((sum, [, n]) => sum + n, 0), 1000);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("the titles of a long load with failed calls say how these are drawn, and how many seconds share a point", async () => {
  const { page, wrong } = await open("long");
  const chart = page.locator("section.chart").first();
  await chart.getByRole("tab", { name: "Over time" }).click();
  assert.match(await chart.locator("svg.plot").first().getAttribute("aria-label"),
    /^OK calls per second; failed calls red and dashed over time: OK, failed/);
  assert.match(await chart.locator("svg.plot").nth(1).getAttribute("aria-label"),
    /^Response by 12 s, the worst second of each: p50 solid, p90 long dashes, p99 short dashes, longest dotted over time/);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("clients on several machines stand side by side, each with what it used, and their machines", async () => {
  const { page, wrong } = await open("clients");
  const chart = page.locator("section.chart").first();
  await chart.locator("svg.plot").waitFor();
  const data = await model(page);
  const places = data.cases[0].rows.map((place) => place.point);
  assert.ok(places.some((name) => /client 1, db1/.test(name)) && places.some((name) => /client 2, db2/.test(name)), places.join("; "));
  assert.equal(await count(chart, ".trials circle"), places.length * 3);
  assert.equal(await count(chart, ".medians line"), places.length);
  await chart.getByRole("tab", { name: "Over time" }).click();
  const row = chart.getByRole("combobox", { name: /^Row/ });
  await row.selectOption({ index: (await row.locator("option").allTextContents()).findIndex((name) => name.includes("client 2")) });
  const panels = (at) => at.locator("svg.plot").evaluateAll((svgs) => svgs.map((svg) => svg.getAttribute("aria-label")));
  assert.match((await panels(chart)).join(), /Processors in use, client on db2.*Longest hiccup of the machine in a second, db2/);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("a stack that was measured with several servers has a lane for each", async () => {
  const { page, wrong } = await open("servers");
  await drawAll(page);
  const chart = page.locator("section.chart").first();
  assert.equal(await count(chart, "svg.plot"), 1);
  const name = await chart.locator("svg.plot").getAttribute("aria-label");
  assert.equal(name, "response p50 of grpc-go · server grpc-go 93.6 µs, connect-go · server grpc-go 128 µs, " +
    "grpc-go · server connect-go 187 µs, connect-go · server connect-go 257 µs. 12 points; arrow keys read them");
  assert.deepEqual(wrong, []);
  await page.close();
});

test("clients together have a line for each process and machine", async () => {
  const { page, wrong } = await open("fleet");
  const chart = page.locator("section.chart").first();
  await chart.getByRole("tab", { name: "Over time" }).click();
  const names = await chart.locator("svg.plot").evaluateAll((svgs) => svgs.map((svg) => svg.getAttribute("aria-label")));
  const used = names.findIndex((name) => name.startsWith("Processors in use"));
  assert.match(names[used], /client 1 of 2 on db1 solid, client 2 of 2 on db2 dashed, server on srv dotted/);
  assert.match(names.find((name) => name.startsWith("Longest hiccup")), /db1 solid, db2 dashed, srv dotted/);
  assert.equal(await count(chart.locator(".frame").nth(used), ".line path"), 9); // three processes in three trials
  assert.deepEqual(wrong, []);
  await page.close();
});

test("time series are of all trials, or of one that is chosen", async () => {
  const { page, wrong } = await open("clients");
  const chart = page.locator("section.chart").first();
  await chart.getByRole("tab", { name: "Over time" }).click();
  const choice = chart.getByRole("combobox", { name: /^Trial/ });
  assert.deepEqual((await choice.locator("option").allTextContents()).map((name) => name.split(",")[0]), ["all trials", "trial 1", "trial 2", "trial 3"]);
  const rates = chart.locator(".frame").first();
  assert.equal(await count(rates, ".line path"), 3);
  await choice.selectOption({ index: 2 });
  assert.equal(await count(rates, ".line path"), 1);
  assert.match((await read(rates, 1))[0], /trial 2/);
  await chart.getByRole("tab", { name: "Figures" }).click();
  assert.equal(await choice.isVisible(), false);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("a report in which every trial failed has tables that work, and no chart", async () => {
  const { page, wrong } = await open("failed");
  await drawAll(page);
  assert.equal(await count(page, "html[data-ready]"), 1);
  assert.equal(await count(page, "svg.plot"), 0);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("a domain is that of any number of values", async () => {
  const { domainOf } = await imported("scale.ts");
  const { type, domain } = domainOf(Array.from({ length: 500_000 }, (_, i) => i + 1), 4);
  assert.deepEqual([type, domain], ["log", [0.8, 625_000]]);
});

test("a logarithmic axis has two marks at least, also where all values lie between two", async () => {
  const { domainOf } = await imported("scale.ts");
  const { domain, ticks } = domainOf([30, 39], 1);
  assert.deepEqual([domain.map((v) => v.toFixed(1)), ticks], [["18.2", "55.0"], [20, 50]]);
  assert.deepEqual(domainOf([0.051, 0.06], 1).ticks, [0.05, 0.1]);
  assert.deepEqual(domainOf([1.6, 50], 1, 4).ticks, [2, 10, 50]); // with one power of ten between them
  const few = [];
  for (let min = 1; min < 10; min *= 1.03) {
    for (let max = min * 1.01; max < 1e4 * min; max *= 1.07) {
      for (const wanted of [3, 4, 5, 8]) {
        const { domain: [from, to], ticks } = domainOf([min, max], 1, wanted);
        const isWithin = from <= min && max <= to && ticks.every((v) => v >= from * 0.999 && v <= to * 1.001);
        if (!isWithin || ticks.length < 2 || ticks.length > wanted) few.push([min, max, wanted, ticks]);
      }
    }
  }
  assert.deepEqual(few, []);
});

/** Returns what a source of the page exports. */
async function imported(source) {
  const { outputFiles } = await build({ entryPoints: [`src/${source}`], bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

test("figures and marks have their units", async () => {
  const { figure, mark } = await imported("format.ts");
  assert.deepEqual([2.05, 0.25, 0, 1200, null].map((v) => figure(v, "MB/s")),
    ["2.05 MB/s", "250 kB/s", "0 kB/s", "1.20 GB/s", "∞"]);
  assert.deepEqual([2.5, 0.25, 0, 1200].map((v) => mark(v, "MB/s")), ["2.5 MB/s", "250 kB/s", "0", "1.2 GB/s"]);
  assert.deepEqual([figure(3, "furlongs"), mark(3000, "furlongs")], ["3.00 furlongs", "3000 furlongs"]);
  assert.deepEqual([figure(44_100, "/s"), mark(44_100, "/s"), mark(3000, "")], ["44,100/s", "44.1 k/s", "3 k"]);
  assert.deepEqual([figure(95_000, "ns"), mark(20_000, "ns")], ["95.0 µs", "20 µs"]);
});

test("what begins with a date is no number", async () => {
  const { parsed } = await imported("format.ts");
  assert.deepEqual(["2026-11-28 11:07", "2026-11-28", "2,026 µs", "-11", "12 s"].map(parsed), [NaN, NaN, 2_026_000, -11, 12e9]);
});

test("a time that has no end is greater than any other", async () => {
  const { parsed } = await imported("format.ts");
  assert.deepEqual(["∞", " ∞ ?", "3,600 s", "", "grpc-go ∞"].map(parsed), [Infinity, Infinity, 3600e9, NaN, NaN]);
});

test("seconds below a heat map are round, as those below the panels over time", async () => {
  const { page } = await open("loads");
  const chart = page.locator("section.chart").first();
  const seconds = () => chart.locator("svg.plot").first().locator("[data-part='x-axis tick label'] text").allTextContents();
  await chart.getByRole("tab", { name: "Over time" }).click();
  const above = await seconds();
  await chart.getByRole("tab", { name: "Heat map" }).click();
  assert.deepEqual(await seconds(), above);
  assert.deepEqual(above, ["0 s", "0.1 s", "0.2 s", "0.3 s", "0.4 s", "0.5 s"]);
  await page.close();
});

test("points are named for what they are", async () => {
  globalThis.matchMedia = () => ({});
  const { pointName } = await imported("charts/distribution.ts");
  const name = (label, unit, x, point) => pointName({ axis: { label, unit } }, { x, point });
  assert.equal(name("offered calls per second", "/s", 2000, "link wan"), "2,000 calls/s, link wan");
  assert.equal(name("callers: calls in flight on all connections", "", 8), "8 in flight");
  assert.equal(name("messages per call", "", 100), "100 messages");
  assert.equal(name("request size", "B", 1000), "1 kB");
});

test("charts say that they are of OK calls, that an axis is logarithmic, and a percentile in a few digits", async () => {
  const { page } = await open("batch");
  const chart = page.locator("section.chart").first();
  await chart.locator("svg.plot").waitFor();
  assert.match(await chart.locator(".key").textContent(), /^operations per sec, logarithmic: /);
  assert.match((await chart.locator("[data-part='y-axis tick label'] text").allTextContents()).at(-1), /^[\d.]+ [kM]\/s$/);
  await chart.getByRole("tab", { name: "Percentiles" }).click();
  assert.match(await chart.locator("svg.plot").textContent(), /percentile of OK calls/);
  assert.match((await read(chart, 4))[3], /, p[\d.]{2,5}: [\d.]{3,4} [µm]s, [\d.]{3,4} [µm]s – [\d.]{3,4} [µm]s /);
  await chart.getByRole("tab", { name: "Histogram" }).click();
  assert.match(await chart.locator("svg.plot").textContent(), /response time of OK calls/);
  await page.close();
});

test("no bar of a histogram is too low to be seen", async () => {
  const { page } = await open("loads");
  const chart = page.locator("section.chart").first();
  await chart.getByRole("tab", { name: "Histogram" }).click();
  const heights = await chart.locator(".bins rect").evaluateAll((all) => all.map((one) => Number(one.getAttribute("height"))));
  assert.ok(heights.length > 1 && Math.min(...heights) >= 1.9, `${heights}`);
  await page.close();
});

test("a name of a comparison leaves room for its figures", async () => {
  globalThis.matchMedia = () => ({});
  const { changes } = await imported("charts/beside.ts");
  const line = { point: "ping_pong 1000 B 1x64 closed streams 1", side: "b", a: [1, 1, 1, 3], b: [1, 1, 1, 3], ratio: [1, 0.9, 1.1], answer: "same" };
  const height = (point, width) => changes({ metric: "m", unit: "ns", base: "a", same: 0.05, lines: [{ ...line, point }] }, width).options.height;
  assert.equal(height(line.point, 358) - height("short", 358), 16);
  assert.equal(height(line.point, 1296), height("short", 1296));
});

test("a slow trial does not flatten a history, which says what it draws and which direction is better", async () => {
  globalThis.matchMedia = () => ({});
  const { trend } = await imported("charts/history.ts");
  const step = (v, ...more) => ({ commit: "c", at: "", figure: [v, v * 0.99, v * 1.01], trials: [v, ...more] });
  const history = (...steps) => trend({ name: "m", label: "response p50", unit: "ns" }, { point: "p", steps, changes: [] }, 900);
  const { options } = history(step(1000), step(1050, 20_000), step(1010));
  const [from, to] = options.y.domain;
  assert.ok(from > 500 && to > 1060 && to < 1400, `${from} to ${to}`);
  const part = (name) => options.marks.flat().find((mark) => mark?.className === name).data;
  assert.deepEqual(part("beyond").map((t) => [t.x, t.y]), [[1, to]]);
  assert.match(part("key")[0], /^response p50, lower is better: ● median, .* △ trial beyond the axis$/);
  assert.ok(history(step(1000), step(1050, 1200)).options.y.domain[1] > 1200);
});

test("parts of a host's time are percentages, and their panel says what it draws", async () => {
  globalThis.matchMedia = () => ({});
  const { host } = await imported("charts/cost.ts");
  const report = {
    metrics: [{ name: "host_steal_ratio", label: "host steal ratio", unit: "", host: true }], stacks: [{ name: "tcp" }],
    rows: [{ stack: 0, trials: [{ rep: 1, at: 0, values: [0.005] }] }],
  };
  const [panel] = host({ report, looks: [{}], off: new Set() }, { rows: [{ row: 0 }] }, 900);
  assert.equal(panel.spots[0].words, "tcp, trial 1\nhost steal: 0.5%");
  assert.ok(panel.options.marks.flat().some((mark) => mark?.data?.[0] === "host steal, each trial at its time"));
});

test("a percentile is told from 100", async () => {
  const { percentile } = await imported("format.ts");
  assert.deepEqual([1, 2, 10, 1000, 1e5, 1e7].map((x) => percentile(x)), ["0", "50", "90", "99.9", "99.999", "99.99999"]);
  assert.deepEqual([2, 3, 1e3, 1e7, 3.162e7].map((x) => Number(percentile(x, 4))), [50, 66.6667, 99.9, 99.99999, 99.999997]);
});

test("a heat map is of the trial that is chosen", async () => {
  const { page, wrong } = await open("loads");
  const chart = page.locator("section.chart").first();
  const data = await model(page);
  await chart.getByRole("tab", { name: "Heat map" }).click();
  const choice = chart.getByRole("combobox", { name: /^Trial/ });
  for (const [i, trial] of data.rows[0].trials.entries()) {
    await choice.selectOption({ index: i });
    assert.equal(await count(chart, ".cells rect"), trial.course.heat.cells.length);
    assert.match(await chart.locator("svg.plot").getAttribute("aria-label"), new RegExp(`in trial ${trial.rep}:`));
  }
  const lowest = (trial) => Math.min(...trial.course.heat.cells.map(([, bin]) => bin));
  assert.ok(lowest(data.rows[0].trials[2]) > lowest(data.rows[0].trials[0]));
  assert.deepEqual(wrong, []);
  await page.close();
});

test("rates that a search for capacity tried stand on an axis, each with its trials", async () => {
  const { page } = await open("capacity");
  await drawAll(page);
  const data = await model(page);
  assert.deepEqual(data.cases.map((one) => [one.title, one.axis?.label, one.rows.length]), [
    ["latency against load", "offered calls per second", 5], ["search", "offered calls per second", 4], ["capacity", undefined, 2]]);
  const charts = page.locator("section.chart");
  assert.equal(await count(charts.nth(0), ".line path"), 1);
  assert.equal(await count(charts.nth(1), ".line path"), 1);
  assert.equal(await count(charts.nth(1), ".trials circle"), 4);
  assert.equal(await count(charts.nth(2), ".trials circle"), 6);
  assert.equal(await count(charts.nth(2), ".medians line"), 2);
  await page.close();
});

test("both sides of ab have each of their trials", async () => {
  const { page } = await open("ab");
  await drawAll(page);
  const data = await model(page);
  const records = await csv("ab");
  assert.deepEqual(data.cases.map((one) => [one.title, one.rows[0].server]), [["server A", "A"], ["server B", "B"]]);
  for (const [i, record] of records.entries()) {
    const chart = page.locator("section.chart").nth(i);
    await chart.getByRole("tab", { name: "Figures" }).click();
    assert.equal(await count(chart, ".trials circle"), Number(record.trials));
    assert.match((await read(chart, 1))[0], new RegExp(`${Number(record.response_p50_ns).toLocaleString("en-US")} ns`));
  }
  await page.close();
});

test("results of JMH are tables that can be ordered, on a page that asks for nothing", async () => {
  const { page, wrong } = await open("jmh");
  assert.ok((await page.locator("h1").textContent()).length > 0);
  const table = page.locator("table").first();
  assert.ok((await table.locator("tbody tr").count()) > 1);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("the theme's button is named for what it does, also after the system's theme has changed", async () => {
  const { page } = await open("quick", { colorScheme: "light" });
  const button = page.locator("button.theme");
  assert.equal(await button.textContent(), "Dark");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => document.querySelector("button.theme").textContent === "Light");
  await button.click();
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  assert.equal(await button.textContent(), "Dark");
  await page.close();
});

test("stacks can be switched off, in charts and tables", async () => {
  const { page } = await open("quick");
  const chart = page.locator("section.chart").first();
  await chart.locator("svg.plot").waitFor();
  const before = await count(chart, ".medians line");
  await page.getByRole("checkbox", { name: "grpc-go" }).uncheck();
  assert.equal(await count(chart, ".medians line"), before - 1);
  assert.equal(await page.locator("tbody th", { hasText: /^grpc-go$/ }).first().isVisible(), false);
  await page.getByRole("checkbox", { name: "grpc-go" }).check();
  assert.equal(await count(chart, ".medians line"), before);
  await page.close();
});

test("tables can be ordered by figures and filtered by words", async () => {
  const { page } = await open("batch");
  const table = page.locator("table").first();
  const stacks = () => table.locator("tbody tr:visible th").allTextContents();
  const original = await stacks();
  const column = (await table.locator("thead tr").last().locator("th").allTextContents()).findIndex((head) => head.startsWith("ops/s"));
  const figures = async () => (await table.locator(`tbody tr td:nth-child(${column + 1})`).allTextContents()).map((text) => Number(text.split(" ")[0].replaceAll(",", "")));
  const button = table.getByRole("button", { name: /^ops\/s/ });
  await button.click();
  const up = await figures();
  assert.deepEqual(up, [...up].sort((a, b) => a - b));
  assert.equal(await table.locator("th[aria-sort]").getAttribute("aria-sort"), "ascending");
  await button.click();
  assert.deepEqual(await figures(), [...up].reverse());
  await button.click();
  assert.deepEqual(await stacks(), original);
  await page.getByRole("searchbox").first().fill("connect");
  assert.deepEqual(new Set(await stacks()), new Set(["connect-go"]));
  await page.close();
});

test("a comparison has an interval, a figure and one of four answers for each line", async () => {
  const { page } = await open("compare");
  const data = await model(page);
  const lines = data.changes[0].lines;
  const chart = page.locator("section.chart").first();
  await chart.locator("svg.plot").waitFor();
  assert.equal(await count(chart, ".interval line"), lines.length);
  assert.equal(await count(chart, ".changes path, .changes circle"), lines.length);
  assert.deepEqual(lines.map((l) => l.answer).sort(), ["better", "same", "worse"]);
  const words = (await chart.locator(".figures text").allTextContents()).join(" ");
  for (const answer of ["better", "same", "worse"]) assert.match(words, new RegExp(answer));
  const ratio = (text) => 1 + Number(text.replace("−", "-").replace("±", "").replace("%", "")) / 100;
  const ticks = (await chart.locator("[data-part='x-axis tick label'] text").allTextContents()).map(ratio);
  const ends = lines.flatMap((l) => l.ratio);
  assert.ok(ticks[0] <= Math.min(...ends) && ticks.at(-1) >= Math.max(...ends), `${ticks} around ${ends}`);
  await page.close();
});

test("published figures stand beside measured ones", async () => {
  const { page } = await open("published");
  await drawAll(page);
  const chart = page.locator("section.chart[data-of=published]");
  const data = await model(page);
  const lines = data.published.flatMap((panel) => panel.lines).length;
  assert.ok(lines >= 4);
  assert.equal(await count(chart, ".published circle"), lines);
  assert.equal(await count(chart, ".measured circle"), lines);
  await page.close();
});

for (const [colorScheme, names] of Object.entries({ light: ["quick", "compare", "published"], dark: ["quick", "load"] })) {
  for (const name of names) {
    test(`axe finds nothing serious in ${name}, ${colorScheme}`, async () => {
      const { page } = await open(name, { colorScheme, bypassCSP: true });
      await drawAll(page);
      await page.evaluate(axe);
      const found = await page.evaluate(async () => (await globalThis.axe.run()).violations
        .filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(" | ")}`));
      assert.deepEqual(found, []);
      await page.close();
    });
  }
}

test("headings skip no level, and each case has one", async () => {
  for (const name of ["quick", "batch", "load", "compare", "codec"]) {
    const { page } = await open(name);
    await drawAll(page);
    const headings = await page.locator("h1, h2, h3, h4").evaluateAll((all) => all.map((h) => [Number(h.tagName[1]), h.textContent]));
    assert.deepEqual(headings.filter(([level], i) => i && level > headings[i - 1][0] + 1), [], name);
    assert.equal(headings.filter(([level]) => level === 1).length, 1);
    await page.close();
  }
});

/** The contrast of two colors, as WCAG defines it. */
function contrast(a, b) {
  const light = (rgb) => {
    const [r, g, bl] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl;
  };
  const [x, y] = [light(a), light(b)].sort((m, n) => n - m);
  return (x + 0.05) / (y + 0.05);
}

for (const colorScheme of ["light", "dark"]) {
  test(`each color of text, also on the bars of costs, can be read, ${colorScheme}`, async () => {
    const { page } = await open("load", { colorScheme });
    await drawAll(page);
    const colors = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      return Object.fromEntries(["paper", "soft", "ink", "faint", "accent", "alarm", "warning", "good", "floor",
        ...Array.from({ length: 8 }, (_, i) => `s${i}`)].map((name) => {
        probe.style.color = `var(--${name})`;
        return [name, getComputedStyle(probe).color.match(/\d+/g).map(Number)];
      }));
    });
    const { paper, soft, ...texts } = colors;
    for (const [name, color] of Object.entries(texts)) assert.ok(contrast(color, paper) >= 4.5, `${name} on paper`);
    for (const name of ["ink", "faint", "accent"]) assert.ok(contrast(texts[name], soft) >= 4.5, `${name} on soft`);
    for (const tab of ["CPU", "Bytes"]) {
      await page.getByRole("tab", { name: tab }).first().click();
      const shades = await page.locator(".parts rect").evaluateAll((all) => all.map((r) => Number(r.getAttribute("fill-opacity") ?? 1)));
      assert.ok(shades.length > 1);
      for (const shade of shades) {
        for (let i = 0; i < 8; i++) {
          const bar = colors[`s${i}`].map((v, at) => shade * v + (1 - shade) * paper[at]);
          assert.ok(contrast(shade > 0.9 ? paper : texts.ink, bar) >= 4.5, `${tab}, s${i} at ${shade}`);
        }
      }
    }
    await page.close();
  });
}

test("the head of a long table, and the names of its rows, stay in sight", async () => {
  const { page } = await open("rows", { viewport: { width: 360, height: 900 } });
  const table = page.locator(".scroll:has(table)").first();
  const before = await table.boundingBox();
  await table.evaluate((at) => at.scrollTo(200, 2000));
  const head = await table.locator("thead tr").last().boundingBox();
  assert.ok(head.y >= before.y - 1 && head.y < before.y + 60, `${head.y}, and the table is at ${before.y}`);
  const name = await table.locator("tbody tr").nth(90).locator("th").boundingBox();
  assert.ok(Math.abs(name.x - before.x) < 2, `${name.x}, and the table is at ${before.x}`);
  await page.close();
});

test("a table of a few rows has no end within it, and a long one has all rows for who asks", async () => {
  const { page } = await open("rows");
  const box = page.locator(".scroll:has(table)").first();
  const height = () => box.evaluate((at) => [at.clientHeight, at.scrollHeight]);
  const rows = await box.locator("tbody tr").count();
  let [shown, all] = await height();
  assert.ok(rows > 40 && shown < all, `${rows} rows, ${shown} of ${all}`);
  await page.getByRole("button", { name: `Show all ${rows} rows` }).first().click();
  [shown, all] = await height();
  assert.equal(shown, all);
  await page.close();
  const batch = await open("batch");
  const heights = await batch.page.locator(".scroll:has(table)").evaluateAll((them) => them.map((at) => [at.clientHeight, at.scrollHeight]));
  assert.deepEqual(heights.map(([shown]) => shown), heights.map(([, all]) => all));
  await batch.page.close();
});

test("on paper heads are text, which is on each page, words stay whole, and legends have their colors", async () => {
  const { page } = await open("batch");
  await page.emulateMedia({ media: "print" });
  const style = (selector, name) => page.locator(selector).first().evaluate((at, name) => getComputedStyle(at)[name], name);
  assert.equal(await style("thead .sort", "display"), "contents");
  assert.equal(await style("tbody th", "overflowWrap"), "break-word");
  assert.equal(await style(".swatch", "printColorAdjust"), "exact");
  await page.close();
});

test("heads of tables have words, and all is in landmarks", async () => {
  const { page } = await open("quick", { bypassCSP: true });
  await drawAll(page);
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await globalThis.axe.run({ runOnly: ["empty-table-header", "region"] })).violations
    .flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 200)}`)));
  assert.deepEqual(found, []);
  await page.close();
});

test("paper is as wide as it is, and the screen afterwards, too", async () => {
  const { page } = await open("quick");
  const widths = () => page.locator("svg.plot").evaluateAll((all) => [...new Set(all.map((svg) => Number(svg.getAttribute("width"))))]);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.deepEqual(await widths(), [690]);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  const [width, ...others] = await widths();
  assert.ok(width > 900 && others.length === 0, `${width}, ${others}`);
  await page.close();
});

test("paper has the charts of all points, of which the screen shows the first at first", async () => {
  const { page } = await open("rows");
  const section = page.locator("section.chart").first();
  const charts = async () => [await section.locator("svg.plot").count(), await section.locator(".more").count()];
  const [some] = await charts();
  const all = Number(/Show all (\d+) points/.exec(await section.locator(".more").innerText())[1]);
  assert.ok(some < all, `${some} of ${all}`);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.deepEqual(await charts(), [all, 0]);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.deepEqual(await charts(), [some, 1]);
  await page.close();
});

test("without JavaScript there are tables, answers and pictures", async () => {
  const { page, wrong } = await open("quick", { javaScriptEnabled: false });
  assert.ok(await page.locator("table").first().isVisible());
  assert.ok(await page.locator(".answer").first().isVisible());
  const picture = page.locator("section.chart img").first();
  assert.ok(await picture.isVisible());
  assert.ok((await picture.boundingBox()).height > 200);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("what is on paper has all charts, in light colours", async () => {
  const { page } = await open("quick", { colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  await drawAll(page);
  assert.equal(await page.locator("section.chart:has(svg.plot)").count(), await page.locator("section.chart").count());
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  await page.close();
});

test("nothing of a hostile file runs, becomes a part of the page, or hides", async () => {
  const { page, wrong } = await open("hostile");
  await drawAll(page);
  for (const tab of await page.getByRole("tab").all()) await tab.click();
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  assert.equal(await page.locator(".canary").count(), 0);
  const text = await page.evaluate(() => document.documentElement.textContent.replace(document.getElementById("data").textContent, "")
    + [...document.querySelectorAll("svg text, [aria-label], option")].map((e) => e.textContent + e.getAttribute("aria-label")).join(" "));
  assert.match(text, /@canary/);
  assert.doesNotMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
  assert.deepEqual(wrong, []);
  await page.close();
});

test("a thousand trials are below 5 MB, and all of them are dots", async () => {
  assert.ok((await stat(join(pages, "thousand.html"))).size < 5e6);
  const { page } = await open("thousand");
  await page.locator("section.chart svg.plot").first().waitFor();
  assert.equal(await count(page, "section.chart .trials circle"), 1000);
  await page.close();
});
