// A worker that all pages of a browser share: one stream of events for all of them.
"use strict";

const pages = new Set();
const tell = (text) => {
	for (const page of pages) page.postMessage(text);
};
const source = new EventSource("../events");
source.onmessage = (event) => tell(event.data);
source.onerror = () => {
	if (source.readyState === EventSource.CLOSED) tell('{"type":"gone"}');
};
self.onconnect = (event) => {
	const page = event.ports[0];
	pages.add(page);
	page.onmessage = () => pages.delete(page); // it says goodbye
	if (source.readyState === EventSource.OPEN) page.postMessage('{"type":"hello"}');
	if (source.readyState === EventSource.CLOSED) page.postMessage('{"type":"gone"}');
};
