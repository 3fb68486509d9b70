// A field that filters the lists of a page as its reader types. Without this script the lists are complete.
"use strict";

for (const area of document.querySelectorAll("[data-search]")) {
	const kind = area.dataset.search;
	const items = () => area.querySelectorAll("section > ul > li, :scope > ul > li");
	if (items().length < 2) continue;

	const form = document.createElement("form");
	form.className = "search";
	form.setAttribute("role", "search");
	const label = document.createElement("label");
	label.textContent = "Filter " + kind + " ";
	const field = document.createElement("input");
	field.type = "search";
	field.name = "q";
	field.autocomplete = "off";
	label.append(field);
	const found = document.createElement("output");
	form.append(label, found);
	area.before(form);

	const apply = () => {
		const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0;
		const all = items();
		for (const item of all) {
			const text = item.textContent.toLowerCase();
			item.hidden = !words.every((word) => text.includes(word));
			if (!item.hidden) shown++;
		}
		for (const section of area.querySelectorAll("section")) {
			section.hidden = words.length > 0 && !section.querySelector("li:not([hidden])");
		}
		found.textContent = words.length ? shown + " of " + all.length + " " + kind : "";
	};
	form.addEventListener("submit", (event) => event.preventDefault());
	field.addEventListener("input", apply);
	area.addEventListener("chant:replaced", apply);
	field.value = new URLSearchParams(location.search).get("q") || "";
	if (field.value) apply();
}
