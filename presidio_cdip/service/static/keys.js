// The keys, and the window that lists them.

import { $, h } from "./dom.js";
import * as picker from "./picker.js";

const FIELDS = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]";

/**
 * Listen for keys. *groups* are {title, keys: [names, text, run, shown]}: names of keys with "Shift+"
 * or "Ctrl+" before them, what they do, and how the list shows them. *first(event)* may take a key
 * before all others, and *escape(field)* is called for Escape.
 */
export function listen(groups, first, escape) {
	const commands = new Map(groups.flatMap(({ keys }) => keys.flatMap(([names, , run]) => names.split(" ").map((key) => [key, run]))));
	document.addEventListener("keydown", (event) => {
		if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]") || picker.isOpen()) return;
		const field = event.target.closest?.(FIELDS);
		if (event.key === "Escape") {
			if (!escape(field)) return;
			event.preventDefault();
			return;
		}
		if (!field && first(event)) {
			event.preventDefault();
			return;
		}
		if (field || event.altKey) return;
		const ctrl = event.ctrlKey || event.metaKey;
		if (!ctrl && !$("keys-on").checked) return;
		if (event.key.startsWith("Arrow") && !event.target.closest(".list") && event.target !== document.body) return;
		const run = commands.get(named(event, ctrl));
		if (!run) return;
		event.preventDefault();
		run();
	});
	$("keys-body").replaceChildren(...groups.map(({ title, keys }) => h("section", {}, h("h4", { text: title }),
		h("dl", {}, ...keys.flatMap(([names, text, , shown]) => [
			h("dt", {}, ...(shown ?? names).split(", ").map((key) => h("kbd", { text: key.replace("t+", "t ") }))),
			h("dd", { text }),
		])))));
}

/** The name of a key: letters are small, and Shift counts with them alone (Caps Lock does not). */
function named(event, ctrl) {
	const letter = /^\p{L}$/u.test(event.key);
	const key = letter ? event.key.toLowerCase() : event.key;
	return `${ctrl ? "Ctrl+" : ""}${letter && event.shiftKey ? "Shift+" : ""}${key}`;
}
