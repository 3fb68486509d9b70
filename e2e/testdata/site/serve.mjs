// Works, watches and approves a spec in the pages of `chant serve`, in Chromium. Arguments: chromium, the address with the
// token, the spec, the file for which its agent waits, how many pages are opened, and a command that adds a spec. It prints what was
// seen, a line each.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";

const [chromium, address, id, goOn, pages, ...add] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const origin = new URL(address).origin;
const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"], protocolTimeout: 120000 });
const wait = { timeout: 120000, polling: 100 };
const seen = (page, text, selector = "main") =>
	page.waitForFunction((s, t) => document.querySelector(s)?.innerText.includes(t), wait, selector, text);

function listen(page) {
	page.on("request", (request) => request.url().startsWith(origin + "/") || console.log("external request: " + request.url()));
	page.on("pageerror", (error) => console.log("script: " + error));
	page.on("console", (message) => message.type() === "error" && console.log("console: " + message.text()));
}
async function open(url) {
	const page = await browser.newPage();
	listen(page);
	await page.goto(url);
	return page;
}
async function accessible(page, name) {
	await page.evaluate(axe);
	const { violations } = await page.evaluate(() => axe.run(document, { preload: false }));
	for (const v of violations) console.log(`${name}: ${v.id}: ${v.nodes[0].html}`);
}

// The page with the token leads to the board, and sets a cookie that scripts do not see.
const board = await open(address);
await board.waitForFunction(() => location.pathname.endsWith("/index.html") && document.getElementById("board"), wait);
const top = board.url().replace("index.html", "");
const [cookie] = await board.cookies();
console.log(`cookie: ${cookie.httpOnly} ${cookie.sameSite} ${cookie.path === new URL(top).pathname}`);
console.log("scripts see: " + JSON.stringify(await board.evaluate(() => document.cookie)));
await accessible(board, "board");

// A script in the page does not run.
await board.evaluate(() => {
	const script = document.createElement("script");
	script.textContent = "window.ran = true";
	document.body.append(script);
});
console.log("inline script ran: " + (await board.evaluate(() => window.ran === true)));
await board.reload();

// A run is started, and watched in a page that is not loaded again.
const page = await open(top + "spec/" + id + ".html");
await accessible(page, "spec");
await Promise.all([page.waitForNavigation(), page.evaluate(() => document.querySelector("input[value=work]").form.requestSubmit())]);
await seen(page, "A run was started.");
await page.evaluate(() => (window.same = true));
await seen(page, "in progress", "#state");
await seen(page, "first line", "#log");
console.log("log shows the first line");
await board.bringToFront();
await seen(board, "Watch me", "section[aria-labelledby=in_progress]");
console.log("board shows the run");
await page.bringToFront();
writeFileSync(goOn, "");
await seen(page, "second line", "#log");
await seen(page, "completed", "#state");
await seen(page, "Approve the work", "#act");
await seen(page, "made.txt", "section[aria-labelledby=changes]");
console.log("log, status and changes came by themselves: " + (await page.evaluate(() => window.same)));
await accessible(page, "completed spec");

// It is approved in the page. What a person types is not lost when the page changes.
await Promise.all([page.waitForNavigation(), page.evaluate(() => document.querySelector("input[value=approve]").form.requestSubmit())]);
await seen(page, "Approved.", "#act");
await seen(page, "approved by Ada", "#facts");
console.log("approved");

// Another page of this machine cannot act, although the browser has the cookie.
const other = createServer((_, answer) => answer.setHeader("Content-Type", "text/html").end("<title>other</title>"));
await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
const stranger = await browser.newPage();
await stranger.goto(`http://127.0.0.1:${other.address().port}/`);
const got = await stranger.evaluate(async (url) => {
	const body = new URLSearchParams({ act: "reject", reason: "stranger" });
	const sent = await fetch(url, { method: "POST", mode: "no-cors", credentials: "include", body }).then((a) => a.type, () => "failed");
	const read = await fetch(url, { credentials: "include" }).then(() => "read", () => "failed");
	return sent + " " + read;
}, top + "act/" + id);
console.log("a stranger: " + got);
await stranger.close();
other.close();

// A page that begins to listen late learns what has changed since it was sent.
const late = await browser.newPage();
listen(late);
await late.setRequestInterception(true);
const held = new Promise((resolve) =>
	late.on("request", (request) => (request.url().endsWith("/live.js") ? resolve(request) : request.continue())));
const loading = late.goto(top + "index.html");
const script = await held;
execFileSync(add[0], [...add.slice(1, -1), "Added early"], { stdio: "ignore" });
await board.bringToFront();
await seen(board, "Added early", "#board");
await script.continue();
await loading;
await late.bringToFront();
await seen(late, "Added early", "#board");
console.log("a late page was told");
await late.close();

// Many pages are told of a new spec, over one stream.
const many = [];
for (let i = 0; i < Number(pages); i++) many.push(await open(top + "index.html"));
execFileSync(add[0], add.slice(1), { stdio: "ignore" });
let told = 0;
for (const one of many) {
	await one.bringToFront();
	await seen(one, "Added meanwhile", "#board");
	told++;
}
console.log("told: " + told);
await browser.close();
