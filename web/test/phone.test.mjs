// The page of rpcbench phone, in Chromium at a phone's size, against rpcbench itself: PHONE is its address, FOLDER its results'.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { start, stop, visit } from "./page.mjs";

before(start);
after(stop);

const { PHONE: phone, FOLDER: folder, SHOTS: shots } = process.env;
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Opens the page on a phone, with its plan. Servers of trials have other ports, which visit treats as elsewhere. */
async function open(address = phone) {
  const { page, wrong } = await visit(address, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true });
  page.on("dialog", (dialog) => dialog.accept()); // that the page is left in the middle of a run
  await page.getByRole("button", { name: "Measure" }).waitFor();
  const elsewhere = () => wrong.filter((line) => !/^request: (http|ws):\/\/127\.0\.0\.1:/.test(line));
  return { page, elsewhere };
}

const told = (page) => page.locator("main").innerText();

async function accessible(page) {
  await page.evaluate(axe);
  assert.deepEqual(await page.evaluate(async () => (await globalThis.axe.run({ exclude: [["iframe"]] })).violations
    .map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(" | ")}`)), []);
}

async function looked(page, name) {
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, `${name} is too wide for a phone`);
  await accessible(page);
  if (shots) await page.screenshot({ path: join(shots, `phone-${name}.png`), fullPage: true });
}

/** Returns the trials of the newest results file. */
async function lastTrials() {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const lines = (await readFile(join(folder, names.at(-1)), "utf8")).trim().split("\n");
  return lines.slice(1).map((line) => JSON.parse(line));
}

/** A browser's throttling of requests holds for those of the page's worker, too. Every call waits for a round trip. */
const slow = { latency: 60, downloadThroughput: 400_000, uploadThroughput: 400_000 };

test("a phone measures what was asked for, slow as it and its network are, and shows the report", async () => {
  const { page, elsewhere } = await open();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await devtools.send("Network.emulateNetworkConditions", { offline: false, ...slow });
  assert.match(await told(page), /How do Connect and gRPC-Web compare with JSON over HTTP.*\n\n5 trials, about \d+ s\./s);
  await page.getByText(/^This browser's clock moves in steps of \d+\sµs; a timer of 10 ms ends [\d.]+\s(µs|ms) late\.$/).waitFor();
  await looked(page, "ready");
  await page.getByRole("button", { name: "Measure" }).click();
  await page.getByText(/^Trial 2 of 5, about \d+ s left$/).waitFor();
  assert.match(await told(page), /Cancel/);
  await looked(page, "running");
  await page.getByRole("button", { name: "Measure again" }).waitFor();
  assert.match(await told(page), /Done\. The results are below, and on the computer in rpcbench-\w+\.jsonl\./);
  await page.frameLocator("iframe").locator("section.chart svg.plot").first().waitFor();
  await looked(page, "done");
  assert.deepEqual(elsewhere(), []);

  const trials = await lastTrials();
  const measured = trials.map(({ spec, status, clients }) => [spec.stack, status, /^Chrome \d+ on /.test(clients[0].runtime)]);
  assert.deepEqual(measured.sort(), [
    ["codec-js", "ok", true], ["codec-js", "ok", true], ["connect-web", "ok", true], ["grpc-web", "ok", true], ["http-json-fetch", "ok", true],
  ]);
  for (const { spec, clients, servers } of trials) {
    const ok = clients[0].outcomes.find(({ code }) => code === "OK").calls;
    assert.equal(clients[0].outcomes.length, 1);
    assert.equal(clients[0].arrivals, ok);
    assert.equal(clients[0].end.cpu_unknown, true);
    if (spec.stack === "codec-js") continue;
    assert.equal(clients[0].payload_bytes_in, 100 * ok);
    const perCall = (servers[0].end.bytes_in - servers[0].begin.bytes_in) / ok; // headers, and what was asked for first
    assert.ok(perCall > 100 && perCall < 2500, `${spec.stack} sends ${perCall} bytes a call`);
    const { elapsed_ns: elapsed } = clients[0]; // one call at a time, each no faster than the network
    assert.ok(ok > 0 && ok * slow.latency <= elapsed / 1e6, `${spec.stack} made ${ok} calls in ${elapsed} ns`);
  }
  await page.close();
});

test("a page that is hidden while it measures says so, and its trials fail from then on", async () => {
  const { page } = await open();
  await page.getByRole("button", { name: "Measure" }).click();
  await page.getByText(/^Measuring: /).waitFor();
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await page.getByText(/^A trial failed: .*the page was hidden while calls were made/).waitFor();
  await page.getByRole("button", { name: "Measure again" }).waitFor();
  await looked(page, "hidden");
  const failed = (await lastTrials()).map(({ status }) => status === "failed");
  const first = failed.indexOf(true); // the first one that was hidden may have been over by then
  assert.ok(failed.length === 5 && first < 2 && failed.slice(first).every(Boolean), `failed: ${failed}`);
  assert.ok((await told(page)).includes(first === 0 ? "5 trials failed." : "4 trials failed."));
  await page.close();
});

test("a run that is cancelled leaves what it has measured, and one that is left ends", async () => {
  const { page } = await open();
  await page.getByRole("button", { name: "Measure" }).click();
  await page.getByText(/^Trial 3 of 5/).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText(/^Cancelled\. What was measured until then is below/).waitFor();
  assert.ok((await lastTrials()).length >= 2);
  await page.getByRole("button", { name: "Measure again" }).click();
  await page.getByText(/^Trial 2 of 5/).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Measure" }).waitFor();
  const trials = await lastTrials();
  assert.equal(trials[0].status, "ok");
  assert.ok(trials.length < 5);
  await page.close();
});

test("a page that is opened elsewhere leaves the other in peace", async () => {
  const { page: first } = await open();
  const { page: second } = await open();
  await first.getByText(/^This page was opened elsewhere, and that page measures now\./).waitFor();
  assert.equal(await first.getByRole("button", { name: "Measure" }).isVisible(), false);
  await looked(first, "replaced");
  await second.getByRole("button", { name: "Measure" }).click();
  await second.getByRole("button", { name: "Measure again" }).waitFor();
  assert.match(await told(second), /Done\./); // in longer than the first would take to connect again
  assert.equal((await lastTrials()).length, 5);
  await first.reload();
  await first.getByRole("button", { name: "Measure" }).waitFor();
  await second.getByText(/^This page was opened elsewhere/).waitFor();
  await Promise.all([first.close(), second.close()]);
});

/** A network between the page and rpcbench, which can be cut. */
async function network() {
  const { hostname, port } = new URL(phone);
  const ends = new Set();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [end, other] of [[near, far], [far, near]]) {
      ends.add(end);
      end.on("error", () => other.destroy()).on("close", () => ends.delete(end)).pipe(other);
    }
  });
  const listen = (at) => new Promise((resolve) => { server.listen(at, "127.0.0.1", () => resolve(server.address().port)); });
  const at = await listen(0);
  const lose = () => { server.close(); for (const end of ends) end.destroy(); };
  return { address: phone.replace(`:${port}/`, `:${at}/`), lose, restore: () => listen(at) };
}

test("a page that loses its network leaves what it measured, and goes on when it is back", async (t) => {
  const { address, lose, restore } = await network();
  t.after(lose); // who failed would wait for the server that listens
  const { page } = await open(address);
  await page.getByRole("button", { name: "Measure" }).click();
  await page.getByText(/^Trial 3 of 5/).waitFor();
  lose();
  await page.getByText(/^The computer is not there\. This page goes on when it is/).waitFor();
  await looked(page, "lost");
  assert.equal(await page.getByRole("button", { name: "Measure" }).isVisible(), false);
  await restore();
  await page.getByRole("button", { name: "Measure" }).waitFor();
  const trials = await lastTrials();
  assert.ok(trials.length >= 2 && trials.length < 5, `${trials.length} trials are kept`);
  assert.equal(trials[0].status, "ok");
  await page.close();
});
