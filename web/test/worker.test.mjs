// Parts of the worker of rpcbench phone's page, under Node.js.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

/** Returns what files of the worker export, as one module. */
async function exportsOf(...files) {
  const contents = files.map((file) => `export * from "./${file}";`).join("\n");
  const resolveDir = fileURLToPath(new URL("../src/phone/worker", import.meta.url));
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir, loader: "ts" }, bundle: true, write: false, format: "esm", platform: "node", mainFields: ["module", "main"],
    define: { CONNECT_VERSION: '"0"', PROTOBUF_VERSION: '"0"' },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const { closeTurns, fetchJSON } = await exportsOf("clock", "stack/json");
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
