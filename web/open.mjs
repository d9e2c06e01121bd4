// Times how long a page takes from being opened until its first chart can be read: node open.mjs FILE RUNS prints a line with
// the milliseconds of each run. The browser runs already.
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [file, runs] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
for (let i = 0; i < Number(runs); i++) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  const begun = performance.now();
  await page.goto(pathToFileURL(file).href);
  await page.locator("section.chart svg.plot").first().waitFor();
  console.log(performance.now() - begun);
  await page.close();
}
await browser.close();
