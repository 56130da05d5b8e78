// The form at the left: what to look for, and what findings become.

import { $, h } from "./dom.js";
import { label } from "./text.js";

const SCORES = {
	recall: ["Find more", "Also shows findings that are less sure: more to reject, less is missed."],
	balanced: ["Balanced", "A balance between what is missed and what is found wrongly."],
	precision: ["Only sure", "Shows sure findings alone: less to reject, more is missed."],
};
const METHODS = {
	surrogate: "Set like the original print",
	white: "White areas",
	black: "Black bars",
	paper: "Erase down to the paper",
	telea: "Erase (Telea)",
	"navier-stokes": "Erase (Navier-Stokes)",
};
const MORE = {
	accept_changes: "Accept tracked changes, so that no older text stays",
	flatten: "Turn every page of a PDF into a picture",
	json_keys: "Also look at the keys of JSON",
};
const LANGUAGES = { eng: "English", deu: "German", fra: "French", spa: "Spanish", ita: "Italian", nld: "Dutch" };

let available = null;
const body = $("settings-body");

/** Build the form from the service's *options*; call *changed* after each change. */
export function build(options, changed) {
	available = options;
	const entities = options.entities.filter((one) => !one.on_request);
	const groups = new Map();
	for (const entity of entities) {
		const alone = entities.filter((one) => one.group === entity.group).length === 1;
		const group = alone ? "Others" : entity.group || "General";
		groups.set(group, [...(groups.get(group) ?? []), entity]);
	}
	const names = options.entities.filter((one) => one.on_request).map((one) => label(one.name));
	body.replaceChildren(
		score(),
		choice("policy", "What findings become", options.policies.map((one) => [one.name, one.label])),
		h("p", { id: "policy-meaning", class: "muted help" }),
		choice("method", "In pictures and PDF pages", options.methods.map((one) => [one, METHODS[one] ?? one])),
		choice("ocr_language", "Language of scans",
			options.ocr_languages.map((one) => [one, LANGUAGES[one] ?? one])),
		h("label", { class: "check names", title: names.join(", ") },
			h("input", { type: "checkbox", id: "set-names" }),
			h("span", {}, "Names too", h("span", { class: "muted help", text: names.join(", ") }))),
		h("details", { open: true, class: "entities" }, h("summary", {}, "Types ",
			h("span", { id: "chosen", class: "muted" })), ...[...groups].map(entityGroup)),
		h("details", {}, h("summary", { text: "More settings" }),
			...Object.entries(MORE).map(([name, text]) => h("label", { class: "check" },
				h("input", { type: "checkbox", id: `set-${name}` }), text)),
			h("label", { class: "field" }, h("span", { text: "Same surrogates within" }),
				h("input", { id: "set-scope", type: "text", maxlength: "200", autocomplete: "off",
					placeholder: "this document" }))),
	);
	if (options.policies.some((one) => one.name === "surrogate")) $("set-policy").value = "surrogate";
	body.addEventListener("change", (event) => {
		if (event.target.dataset.group) tick(event.target);
		show();
		changed();
	});
	show();
}

function score() {
	return h("fieldset", { class: "score" }, h("legend", { text: "How sure a finding must be" }),
		h("div", { class: "segmented" }, ...Object.entries(SCORES).map(([name, [text]]) =>
			h("label", {}, h("input", {
				type: "radio", name: "min_score", value: name, class: "hidden", checked: name === "balanced",
			}), h("span", { text })))),
		h("p", { id: "score-meaning", class: "muted help" }));
}

function choice(name, text, values) {
	return h("label", { class: "field" }, h("span", { text }), h("select", { id: `set-${name}` },
		...values.map(([value, shown]) => h("option", { value, text: shown }))));
}

function entityGroup([group, entities]) {
	const boxes = entities.map((one) => h("label", { class: "check", title: one.meaning },
		h("input", { type: "checkbox", checked: true, "data-entity": one.name }), label(one.name)));
	const all = h("label", { class: "check all" },
		h("input", { type: "checkbox", checked: true, "data-group": group }), group);
	return h("fieldset", { class: "group-of-types" }, h("legend", {}, all), ...boxes);
}

function tick(all) {
	for (const one of all.closest("fieldset").querySelectorAll("[data-entity]")) one.checked = all.checked;
}

function show() {
	$("score-meaning").textContent = SCORES[body.querySelector("[name=min_score]:checked").value][1];
	const policy = available.policies.find((one) => one.name === $("set-policy").value);
	$("policy-meaning").textContent = policy?.meaning ?? "";
	for (const all of body.querySelectorAll("[data-group]")) {
		const boxes = [...all.closest("fieldset").querySelectorAll("[data-entity]")];
		const checked = boxes.filter((one) => one.checked).length;
		all.checked = checked === boxes.length;
		all.indeterminate = checked > 0 && checked < boxes.length;
	}
	const boxes = [...body.querySelectorAll("[data-entity]")];
	$("chosen").textContent = `${boxes.filter((one) => one.checked).length} of ${boxes.length}`;
}

/** Return the options as the service takes them. */
export function chosen() {
	const boxes = [...body.querySelectorAll("[data-entity]")];
	const entities = boxes.filter((one) => one.checked).map((one) => one.dataset.entity);
	const options = {
		policy: $("set-policy").value,
		method: $("set-method").value,
		ocr_language: $("set-ocr_language").value,
		min_score: body.querySelector("[name=min_score]:checked").value,
		names: $("set-names").checked,
	};
	if (entities.length < boxes.length) options.entities = entities;
	for (const name of Object.keys(MORE)) if ($(`set-${name}`).checked) options[name] = true;
	if ($("set-scope").value.trim()) options.scope = $("set-scope").value.trim();
	return options;
}
