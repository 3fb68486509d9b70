// Checks pages of a static site with axe-core in Chromium, in the light and in the dark, and that they load nothing else.
// Arguments: chromium, the folder of the site, pages. It prints what is wrong, a line each, and then "checked N".
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const [chromium, folder, ...pages] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const top = pathToFileURL(folder + "/").href;
const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"] });
let checked = 0;
for (const scheme of ["light", "dark"]) {
	const page = await browser.newPage();
	await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
	page.on("request", (request) => request.url().startsWith(top) || console.log("request of " + request.url()));
	page.on("pageerror", (error) => console.log("script: " + error));
	page.on("console", (message) => message.type() === "error" && console.log("console: " + message.text()));
	for (const name of pages) {
		await page.goto(top + name.split("/").map(encodeURIComponent).join("/"));
		await page.evaluate(axe);
		const { violations, passes } = await page.evaluate(() => axe.run(document, { preload: false }));
		for (const v of violations) console.log(`${scheme} ${name}: ${v.id}: ${v.help}: ${v.nodes[0].html}`);
		if (passes.some((rule) => rule.id === "color-contrast")) checked++;
	}
	// The field filters, as a reader types.
	await page.goto(top + "index.html");
	await page.type("input[type=search]", "no spec has these words");
	const shown = await page.$$eval("#board li", (all) => all.filter((item) => item.checkVisibility()).length);
	if (shown !== 0) console.log(`${scheme}: ${shown} specs match what none matches`);
}
await browser.close();
console.log("checked " + checked);
