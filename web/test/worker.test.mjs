// Parts of the worker of rpcbench phone's page, under Node.js.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

/** Returns what files of the worker export, as one module. */
async function exportsOf(...files) {
  const contents = files.map((file) => `export * from "./${file}";`).join("\n");
  const resolveDir = fileURLToPath(new URL("../src/phone/worker", import.meta.url));
  const folder = await mkdtemp(join(tmpdir(), "worker-"));
  const outfile = join(folder, "worker.mjs");
  await esbuild.build({
    stdin: { contents, resolveDir, loader: "ts" }, bundle: true, outfile, format: "esm", platform: "node", mainFields: ["module", "main"],
    define: { CONNECT_VERSION: '"0"', PROTOBUF_VERSION: '"0"' },
  });
  const exported = await import(pathToFileURL(outfile));
  await rm(folder, { recursive: true });
  return exported;
}

const { Arrivals, CallError, callerOf, closeTurns, fetchJSON, Phase, Recorder, Span, SplitMix64 } =
  await exportsOf("clock", "load/arrivals", "load/phase", "random", "record/recorder", "stack/connect", "stack/json", "stack/stack");
after(closeTurns);

const never = new AbortController().signal;

for (const status of ["200 OK", "500 Internal Server Error"]) {
  test(`http-json-fetch: a connection that breaks within a response of status ${status} is UNAVAILABLE`, async (t) => {
    const server = createServer((socket) => {
      socket.once("data", () => socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 100\r\n\r\n{`, () => socket.destroy()));
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    t.after(() => server.close());
    const call = { kind: "unary", payload: "zeros", seed: 1n, requestBytes: 1, responseBytes: 1, compression: "none", lengthsOnly: true };
    const caller = await fetchJSON.caller({ addresses: [`127.0.0.1:${server.address().port}`] }, call);
    await assert.rejects(caller.call(never), { code: "UNAVAILABLE" });
  });
}

/** Makes a phase whose one slot makes calls in that way. Times are in ns. */
function phaseOf(call, begin) {
  const load = { arrivals: "closed", perSec: 0, seed: 1n, part: 0, parts: 1 };
  const recorder = new Recorder(begin.load?.perSec > 0, 0);
  return new Phase([{ call, check: () => undefined }], { load, calls: 0n, durationNs: 0n, drainNs: 10n ** 9n, ...begin }, recorder, 60e9);
}

test("a phase leaves no timer behind", async (t) => {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  t.after(() => Object.assign(globalThis, { setTimeout: set, clearTimeout: clear }));
  const timers = new Set();
  globalThis.setTimeout = (go, ms) => {
    const timer = set(() => { timers.delete(timer); go(); }, ms);
    timers.add(timer);
    return timer;
  };
  globalThis.clearTimeout = (timer) => { timers.delete(timer); clear(timer); };
  const tally = await phaseOf(async () => {}, { calls: 1n }).run();
  assert.equal(tally.arrivals, 1);
  assert.equal(timers.size, 0);
});

test("a Stop that leaves no call to begin ends nothing", async () => {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  const phase = phaseOf(() => held, { calls: 1n });
  const running = phase.run();
  await new Promise((resolve) => setImmediate(resolve)); // the clock moves on
  phase.stop();
  release();
  const { stoppedNs, lateOK, windowNs, elapsedNs, arrivals } = await running;
  assert.deepEqual({ stoppedNs, lateOK, arrivals }, { stoppedNs: 0, lateOK: 0, arrivals: 1 });
  assert.equal(windowNs, elapsedNs);
});

const everyMinute = { load: { arrivals: "constant", perSec: 1 / 60, seed: 1n, part: 0, parts: 1 }, durationNs: 60n * 10n ** 9n };

test("a Stop while the last of the arrivals is answered ends nothing either", async () => {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  const phase = phaseOf(() => { queueMicrotask(() => { phase.stop(); release(); }); return held; }, everyMinute);
  const { stoppedNs, windowNs, arrivals } = await phase.run();
  assert.deepEqual({ stoppedNs, windowNs, arrivals }, { stoppedNs: 0, windowNs: 60e9, arrivals: 1 });
});

test("a Stop that leaves calls to begin ends the load", async () => {
  const phase = phaseOf(async () => phase.stop(), { calls: 2n });
  const { stoppedNs, windowNs, arrivals } = await phase.run();
  assert.equal(arrivals, 1);
  assert.ok(stoppedNs > 0);
  assert.equal(windowNs, stoppedNs);
});

test("a phase that is stopped before it begins has no window and no Stop that ended its load", async () => {
  const phase = phaseOf(async () => {}, { calls: 2n });
  phase.stop();
  assert.deepEqual(await phase.run(), { elapsedNs: 0, windowNs: 0, arrivals: 0, stoppedNs: 0, lateOK: 0 });
});

const download = {
  kind: "download", payload: "zeros", seed: 1n, requestBytes: 1, responseBytes: 2, messages: 3, compression: "none", lengthsOnly: false,
};

/** Makes a download from a server that sends such bodies. Returns how its check ended, how many it sent, and its signal. */
async function downloaded(bodies) {
  let sent = 0, seen;
  const message = (async function* () {
    for (const body of bodies) {
      sent++;
      yield { payload: { body } };
    }
  })();
  const stream = async (_method, signal) => {
    seen = signal;
    return { stream: true, header: new Headers(), trailer: new Headers(), message };
  };
  const caller = callerOf({ stream }, {}, download);
  await caller.call(never);
  return { wrong: caller.check(), sent, signal: seen };
}

const right = new Uint8Array(2);

test("connect-web: a download from a server that sends on and on is ended after one reply more than it asked for", async () => {
  const { wrong, sent, signal } = await downloaded(Array(1000).fill(right));
  assert.equal(wrong, undefined);
  assert.equal(sent, download.messages + 1);
  assert.ok(signal.aborted);
});

test("connect-web: of a download the number of replies, their lengths and the last one's bytes are checked", async () => {
  const long = new Uint8Array(3), other = Uint8Array.of(0, 1);
  const { wrong, signal } = await downloaded([right, right, right]);
  assert.deepEqual([wrong, signal.aborted], [undefined, false]);
  for (const [bodies, why] of [
    [[right, right], "2 replies came, not 3"],
    [[right, long, right], "the reply has 3 bytes, not 2"],
    [[right, right, other], "byte 1 of the reply is 1, not 0"],
    [[right, right, other, right], "byte 1 of the reply is 1, not 0"],
  ]) {
    const { wrong } = await downloaded(bodies);
    assert.deepEqual([wrong.code, wrong.message], ["MISMATCH", why]);
  }
});

test("connect-web: a download that is cancelled is cancelled in the library", async () => {
  const abort = new AbortController();
  const stream = (_method, signal) => new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new TypeError("cancelled")));
    abort.abort();
  });
  await assert.rejects(callerOf({ stream }, {}, download).call(abort.signal), (error) => error instanceof CallError);
});

/** Counts the random numbers that are drawn while a test runs. */
function drawsOf(t) {
  const count = t.mock.method(SplitMix64.prototype, "exponential").mock;
  return () => count.callCount();
}

const random = (calls, parts = 1, part = 0) => ({ load: { arrivals: "poisson", perSec: 1e9, seed: 1n, part, parts }, calls });

test("random arrivals are drawn once before their phase, and once in it", async (t) => {
  const draws = drawsOf(t);
  const phase = phaseOf(async () => {}, random(10_000n));
  await phase.foresee();
  assert.equal(draws(), 10_001); // the window ends with one more than are made
  const { arrivals } = await phase.run();
  assert.equal(arrivals, 10_000);
  assert.equal(draws(), 20_001);
});

test("a Stop need not wait until random arrivals are drawn", async (t) => {
  const draws = drawsOf(t);
  const phase = phaseOf(async () => {}, random(1_000_000n));
  const foreseen = phase.foresee();
  phase.stop();
  await foreseen;
  assert.ok(draws() < 10_000, `${draws()} were`);
  assert.equal((await phase.run()).arrivals, 0);
});

test("the window of a number of calls ends when one more than those of all parts would be due", async () => {
  for (const arrivals of ["constant", "poisson"]) {
    const calls = 10n, perSec = 1000;
    const all = [];
    const sequence = new Arrivals(perSec, arrivals === "poisson", 1n, 0, 11);
    for (let due = sequence.next(); due !== undefined; due = sequence.next()) all.push(due);
    for (const [part, last] of [[0, 9], [1, 7], [2, 8]]) {
      const span = await Span.of({ load: { arrivals, perSec, seed: 1n, part, parts: 3 }, calls, durationNs: 0n }, () => false);
      assert.deepEqual({ ...span }, { windowNs: all[10], endNs: all[last] }, `${arrivals}, part ${part}`);
    }
  }
});
