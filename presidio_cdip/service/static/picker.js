// The small window in which a type is chosen, by mouse or by keys.

import { $, h } from "./dom.js";
import { hue, label } from "./text.js";

const box = $("picker");
const input = $("picker-input");
const list = $("picker-list");
const everywhere = $("picker-everywhere");
let entities = [];
let shown = [];
let active = 0;
let job = null;
let last = ""; // the type chosen last stands first

export const setEntities = (names) => {
	entities = names;
};

export const isOpen = () => !box.hidden;

/**
 * Ask for a type beside *rect*.
 *
 * title: what is asked; quote: the text that it is about, or "".
 * current: the type that it has; canEverywhere: whether other places may have the same text.
 * choose(entity, everywhere): called with the answer; closed(): called in any case, after it.
 */
export function open({ rect, title, quote = "", current = "", canEverywhere = true, choose, closed }) {
	close();
	job = { choose, closed };
	$("picker-title").textContent = title;
	$("picker-text").textContent = quote;
	$("picker-text").hidden = !quote;
	$("picker-everywhere-label").hidden = !canEverywhere;
	everywhere.checked = false;
	input.value = "";
	box.hidden = false;
	filter(current || last);
	place(rect);
	input.focus({ preventScroll: true });
}

/** Close the window without an answer. */
export function close() {
	if (!job) return;
	const { closed } = job;
	job = null;
	box.hidden = true;
	closed?.();
}

function place(rect) {
	const margin = 8;
	const { width, height } = box.getBoundingClientRect();
	const below = rect.bottom + margin + height <= innerHeight;
	const top = below ? rect.bottom + margin : Math.max(margin, rect.top - margin - height);
	box.style.top = `${Math.max(margin, Math.min(top, innerHeight - height - margin))}px`;
	box.style.left = `${Math.max(margin, Math.min(rect.left, innerWidth - width - margin))}px`;
}

function filter(first = "") {
	const wanted = input.value.trim().toLowerCase();
	const order = first ? [...entities].sort((a, b) => (b === first) - (a === first)) : entities;
	shown = order.filter(
		(name) => label(name).toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted),
	);
	const starts = shown.findIndex((name) => label(name).toLowerCase().startsWith(wanted));
	list.replaceChildren(...shown.map((name, index) => {
		const option = h("li", { role: "option", id: `picker-${index}`, "data-entity": name },
			h("span", { class: "swatch", "aria-hidden": "true" }), h("span", { text: label(name) }));
		option.style.setProperty("--h", hue(name));
		return option;
	}));
	activate(wanted && starts > 0 ? starts : 0);
}

function activate(index) {
	active = Math.max(0, Math.min(index, shown.length - 1));
	[...list.children].forEach((option, at) => option.setAttribute("aria-selected", at === active));
	list.children[active]?.scrollIntoView({ block: "nearest" });
	if (shown.length) input.setAttribute("aria-activedescendant", `picker-${active}`);
	else input.removeAttribute("aria-activedescendant");
}

function choose(entity, all) {
	if (!entity || !job) return;
	const { choose: answer } = job;
	last = entity;
	answer(entity, all && !$("picker-everywhere-label").hidden);
	close();
}

input.addEventListener("input", () => filter());
box.addEventListener("keydown", (event) => {
	event.stopPropagation();
	const moves = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 8, PageUp: active - 8 };
	if (event.key === "Escape") close();
	else if (event.key === "Enter") choose(shown[active], everywhere.checked || event.shiftKey);
	else if (event.key in moves && event.target === input) activate(moves[event.key]);
	else return;
	event.preventDefault();
});
list.addEventListener("click", (event) => {
	choose(event.target.closest("li")?.dataset.entity, everywhere.checked || event.shiftKey);
});
document.addEventListener("pointerdown", (event) => {
	if (job && !box.contains(event.target)) close();
}, true);
box.addEventListener("focusout", (event) => {
	if (job && event.relatedTarget && !box.contains(event.relatedTarget)) close();
});
