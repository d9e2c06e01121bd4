// Builds the scripts and style sheets of pages into the folders where Go embeds them: of reports, and of rpcbench phone. With
// --check it only compares: the committed files must equal what the sources build, byte for byte.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const reports = "internal/report/page/assets/";
const phone = "internal/cli/phone/assets/";

// Maps, color schemes and dates are a quarter of the chart library's size. No chart here uses them, so their exports do nothing.
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

// The licenses of bundled packages are included in the script, as they require. A license that is not listed needs a review
// first.
const known = ["ISC", "MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "(MIT AND Zlib)", "(Apache-2.0 AND BSD-3-Clause)"];

// Licenses for which a package has no file: the second license of this one is in its source.
const theirs = {
  "@bufbuild/protobuf": async () => {
    const source = await readFile(here("node_modules/@bufbuild/protobuf/dist/esm/wire/varint.js"), "utf8");
    const comment = /^(\/\/.*\n)+/.exec(source)[0].replace(/^\/\/ ?/gm, "");
    return `https://www.apache.org/licenses/LICENSE-2.0, and of its varints:\n\n${comment}`;
  },
};

async function licenseOf(name) {
  const manifest = JSON.parse(await readFile(here(`node_modules/${name}/package.json`), "utf8"));
  if (!known.includes(manifest.license)) throw new Error(`${name} has the license ${manifest.license}: see that its terms are kept`);
  const files = ["LICENSE", "LICENSE.txt", "LICENSE.md"].map((file) => readFile(here(`node_modules/${name}/${file}`), "utf8"));
  const text = (await Promise.any(files).catch(() => theirs[name]?.() ?? "")).replaceAll("*/", "* /").trim();
  return { name, terms: manifest.license, holder: /^Copyright.*$/m.exec(text)?.[0].trim() ?? "", text };
}

async function licenses(options) {
  const { metafile } = await esbuild.build({ ...common, ...options, metafile: true });
  const used = new Set(Object.entries(Object.values(metafile.outputs)[0].inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter((name) => name));
  const byTerms = groupedBy(await Promise.all([...used].sort().map(licenseOf)), ({ terms }) => terms);
  const parts = [...byTerms].map(([terms, of]) => {
    const holders = groupedBy(of, ({ holder }) => holder);
    const lines = [...holders].map(([holder, names]) => `${names.map(({ name }) => name).join(", ")}: ${holder || terms}`);
    return `This script includes, under ${terms}:\n${lines.join("\n")}\n\n${permissionOf(terms, of)}`;
  });
  return parts.length === 0 ? "" : `/*! ${parts.join("\n\n")}\n*/`;
}

function groupedBy(list, keyOf) {
  const groups = new Map();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

// Returns the text of a short license; for Apache's, which comes with rpcbench, where it is.
function permissionOf(terms, of) {
  const text = of.map((one) => one.text).find((one) => one !== "") ?? "";
  switch (terms) {
    case "ISC": return text.slice(text.indexOf("Permission to use")).trim();
    case "MIT": case "(MIT AND Zlib)": return text.slice(text.indexOf("Permission is hereby granted")).trim();
    case "BSD-2-Clause": case "BSD-3-Clause": return text.slice(text.indexOf("Redistribution and use")).trim();
    case "Apache-2.0": return "https://www.apache.org/licenses/LICENSE-2.0";
    default: return text; // of two licenses
  }
}

// The chart library adds a style element to each picture, always with the same text, so the page allows it by its hash.
async function injectedStyles() {
  const source = await readFile(here("node_modules/@observablehq/plot/src/plot.js"), "utf8");
  const found = /append\("style"\)\s*\.text\(\s*`([^`]*)`/.exec(source);
  if (!found) throw new Error("plot.js no longer adds a style element: look at its new form");
  const text = found[1].replaceAll("${className}", "plot");
  if (text.includes("${")) throw new Error("the style of plot.js depends on more than its class");
  return `sha256-${createHash("sha256").update(text).digest("base64")}\n`;
}

const versionOf = async (name) => JSON.parse(await readFile(here(`node_modules/${name}/package.json`), "utf8")).version;

// Builds a page's script, with the licenses of its packages.
async function script(entry, options = {}) {
  const all = { entryPoints: [here(entry)], format: "iife", target: "es2022", ...options };
  return bundled({ ...all, banner: { js: await licenses(all) } });
}

const worker = {
  mainFields: ["module", "main"],
  define: {
    CONNECT_VERSION: JSON.stringify(await versionOf("@connectrpc/connect-web")),
    PROTOBUF_VERSION: JSON.stringify(await versionOf("@bufbuild/protobuf")),
  },
};

const made = {
  [`${reports}report.js`]: await script("src/report.ts", { plugins: [without] }),
  [`${reports}report.css`]: await bundled({ entryPoints: [here("src/report.css")], target: "es2022" }),
  [`${reports}styles.txt`]: await injectedStyles(),
  [`${phone}phone.html`]: await readFile(here("src/phone/phone.html"), "utf8"),
  [`${phone}phone.css`]: await bundled({ entryPoints: [here("src/phone/phone.css")], target: "es2022" }),
  [`${phone}phone.js`]: await script("src/phone/page.ts"),
  [`${phone}worker.js`]: await script("src/phone/worker/main.ts", worker),
};

// With --node FILE it builds the worker of pages for Node.js instead, for tests of its protocol.
const node = process.argv.indexOf("--node");
if (node > 0) {
  const all = { ...worker, entryPoints: [here("src/phone/worker/node.ts")], format: "esm", platform: "node", target: "es2022" };
  await writeFile(process.argv[node + 1], await bundled(all));
  process.exit();
}

let stale = false;
for (const [name, content] of Object.entries(made)) {
  const path = here(`../${name}`);
  if (!process.argv.includes("--check")) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    console.log(`${name}: ${content.length} characters`);
  } else if ((await readFile(path, "utf8").catch(() => "")) !== content) {
    console.error(`${name} is not what its sources in web make: run make web, and commit it`);
    stale = true;
  }
}
process.exitCode = stale ? 1 : 0;
