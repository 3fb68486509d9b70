// Keeps a page up to date: the server says what has changed, and the page is read again and its parts replaced.
"use strict";

const root = document.body.dataset.root;
const spec = document.body.dataset.spec;
const main = document.getElementById("main");

// What was said after an action is not said for ever.
if (new URLSearchParams(location.search).has("done")) setTimeout(() => history.replaceState(null, "", location.pathname), 15000);

// A part of the page is known by its id, or by that of its heading.
const nameOf = (part) => part.id || part.getAttribute("aria-labelledby") || part.tagName + "." + part.className;
const isTypedIn = (part) => [...part.querySelectorAll("textarea")].some((field) => field.value !== field.defaultValue);

// replace puts one part in the place of another, except where a person types or the script itself writes.
function replace(old, fresh) {
	if (nameOf(old) === "log-heading" || isTypedIn(old) || old.outerHTML === fresh.outerHTML) return old;
	if (old.dataset.search) {
		old.replaceChildren(...fresh.childNodes);
		old.dispatchEvent(new Event("chant:replaced"));
		return old;
	}
	old.replaceWith(fresh);
	return fresh;
}

function show(fresh) {
	const had = new Map();
	for (const part of main.children) if (!part.matches("form.search")) had.set(nameOf(part), part);
	const parts = [...fresh.children];
	for (const part of parts) had.delete(nameOf(part)); // those that remain are gone
	for (const part of had.values()) if (!isTypedIn(part)) part.remove();

	let at = main.firstElementChild;
	for (const part of parts) {
		while (at && at.matches("form.search")) at = at.nextElementSibling;
		if (at && nameOf(at) === nameOf(part)) at = replace(at, part).nextElementSibling;
		else main.insertBefore(part, at);
	}
}

let reading = false, outdated = false;
async function refresh() {
	if (reading || document.hidden) {
		outdated = true;
		return;
	}
	reading = true;
	do {
		outdated = false;
		try {
			const answer = await fetch(location.href, { cache: "no-store" });
			if (!answer.ok) break;
			const page = new DOMParser().parseFromString(await answer.text(), "text/html");
			show(page.getElementById("main"));
		} catch {
			break; // the server has ended; the stream says when it is back
		}
		await new Promise((resolve) => setTimeout(resolve, 300));
	} while (outdated && !document.hidden);
	reading = false;
}
document.addEventListener("visibilitychange", () => {
	if (!document.hidden && outdated) refresh();
});

// The log grows by what the server has written since.
const maxLog = 400000;
let pulling = false, grown = false;
async function pull() {
	grown = true;
	if (pulling) return;
	pulling = true;
	while (grown) {
		grown = false;
		const log = document.getElementById("log");
		if (!log) break;
		try {
			const answer = await fetch(root + "log/" + encodeURIComponent(spec) + "?offset=" + log.dataset.offset, { cache: "no-store" });
			if (answer.status === 400 && log.dataset.offset !== "0") { // the log is shorter now: it has begun again
				log.textContent = "";
				log.dataset.offset = "0";
				grown = true;
				continue;
			}
			if (!answer.ok) break;
			const part = await answer.json();
			const text = log.textContent + part.content;
			log.textContent = text.slice(-maxLog);
			log.dataset.offset = part.offset;
			grown ||= part.more;
		} catch {
			break;
		}
	}
	pulling = false;
}

// update reads everything again: what a log gained last is not announced if its run has ended.
function update() {
	refresh();
	if (spec) pull();
}

function heed(text) {
	const event = JSON.parse(text);
	switch (event.type) {
	case "hello": // the page listens from now on: anything may have happened since it was loaded, or since an interruption
		update();
		break;
	case "change":
		if (!spec || event.ids.includes(spec)) update();
		break;
	case "log":
		if (event.id === spec) pull();
		break;
	case "gone":
		document.title = "(ended) " + document.title;
	}
}

if (window.SharedWorker) {
	const worker = new SharedWorker(root + "static/events.js");
	worker.port.onmessage = (event) => heed(event.data);
	window.addEventListener("pagehide", () => worker.port.postMessage("goodbye"));
	window.addEventListener("pageshow", (event) => {
		if (event.persisted) location.reload();
	});
} else {
	let source;
	const follow = () => {
		if (document.hidden) {
			source?.close();
			source = undefined;
		} else if (!source) {
			source = new EventSource(root + "events");
			source.onmessage = (event) => heed(event.data);
		}
	};
	document.addEventListener("visibilitychange", follow);
	follow();
}
