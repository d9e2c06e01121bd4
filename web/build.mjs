// Builds the page's script and style sheet into internal/report/page/assets, where Go embeds them. With --check it only
// compares: the committed files must be what the sources make, byte for byte.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const assets = here("../internal/report/page/assets/");

// Maps, colour schemes and dates are a quarter of what the chart library takes, and no chart here has one: their exports do
// nothing.
const unused = ["d3-axis", "d3-geo", "d3-scale-chromatic", "d3-time-format"];
const without = {
  name: "without",
  setup(build) {
    build.onLoad({ filter: new RegExp(`/node_modules/(${unused.join("|")})/dist/[^/]*\\.mjs$`) }, async ({ path }) => {
      const list = /export \{([^}]*)\};?\s*$/.exec(await readFile(path, "utf8"))[1];
      const names = list.split(",").map((name) => name.split(/\sas\s/).at(-1).trim());
      return { contents: names.map((name) => `export const ${name} = () => {};`).join("\n") };
    });
  },
};

const common = { bundle: true, write: false, minify: true, legalComments: "none", logLevel: "warning" };
const bundled = async (options) => (await esbuild.build({ ...common, ...options })).outputFiles[0].text;

// The licence of what is bundled stands in the page, as it asks. Another one than ISC needs a look first.
async function licences() {
  const { metafile } = await esbuild.build({ ...common, entryPoints: [here("src/report.ts")], plugins: [without], metafile: true });
  const used = new Set(Object.entries(Object.values(metafile.outputs)[0].inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter((name) => name));
  const holders = new Map();
  let permission = "";
  for (const name of [...used].sort()) {
    const manifest = JSON.parse(await readFile(here(`node_modules/${name}/package.json`), "utf8"));
    if (manifest.license !== "ISC") throw new Error(`${name} has the licence ${manifest.license}: see that the page keeps its terms`);
    const text = (await readFile(here(`node_modules/${name}/LICENSE`), "utf8").catch(() => readFile(here(`node_modules/${name}/LICENSE.txt`), "utf8")));
    const holder = /^Copyright.*$/m.exec(text)[0].trim();
    holders.set(holder, [...(holders.get(holder) ?? []), name]);
    permission ||= text.slice(text.indexOf("Permission to use")).trim();
  }
  const lines = [...holders].map(([holder, names]) => `${names.join(", ")}: ${holder}`);
  return `/*! This script includes, under the ISC licence:\n${lines.join("\n")}\n\n${permission}\n*/`;
}

// The chart library puts a style element into each picture, always with the same text: the page allows it by its hash.
async function injectedStyles() {
  const source = await readFile(here("node_modules/@observablehq/plot/src/plot.js"), "utf8");
  const found = /append\("style"\)\s*\.text\(\s*`([^`]*)`/.exec(source);
  if (!found) throw new Error("plot.js no longer adds a style element: look at its new form");
  const text = found[1].replaceAll("${className}", "plot");
  if (text.includes("${")) throw new Error("the style of plot.js depends on more than its class");
  return `sha256-${createHash("sha256").update(text).digest("base64")}\n`;
}

const made = {
  "report.js": await bundled({ entryPoints: [here("src/report.ts")], format: "iife", target: "es2022", plugins: [without], banner: { js: await licences() } }),
  "report.css": await bundled({ entryPoints: [here("src/report.css")], target: "es2022" }),
  "styles.txt": await injectedStyles(),
};

let stale = false;
await mkdir(assets, { recursive: true });
for (const [name, content] of Object.entries(made)) {
  if (!process.argv.includes("--check")) {
    await writeFile(assets + name, content);
    console.log(`${name}: ${content.length} characters`);
  } else if ((await readFile(assets + name, "utf8").catch(() => "")) !== content) {
    console.error(`internal/report/page/assets/${name} is not what its sources in web make: run make web, and commit it`);
    stale = true;
  }
}
process.exitCode = stale ? 1 : 0;
