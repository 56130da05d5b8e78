// The documents at the left: sending files, progress, opening and removing.

import * as api from "./api.js";
import { $, ask, h, icon, say, setText } from "./dom.js";
import { isReading, path, state } from "./state.js";
import { plural } from "./text.js";

const AT_ONCE = 3; // files that are sent at the same time
const PAUSE = 400; // milliseconds between two looks at documents that are being read
const queue = [];
const early = [];
let sending = 0;
let number = 0;
let host = null; // open(id), update(document), options()
let timer = 0;
const rows = new Map(); // id -> {item, button, name, about, progress}

export function connect(handlers) {
	host = handlers;
}

/** Get the documents that the service has already. */
export async function load() {
	const { documents } = await api.get("documents");
	for (const document of documents) adopt(document);
	add(early.splice(0));
	show();
	watch();
}

/** Keep what the service says of a document. */
export function adopt(document) {
	const known = state.documents.get(document.id);
	const { views, total, decided } = known ?? {};
	state.documents.set(document.id, { total, decided, ...document, views: document.views ?? views });
}

/** Send *files* with the settings of the form. */
export function add(files) {
	if (!state.options) {
		early.push(...files); // the form is not there yet
		return;
	}
	const most = state.options?.max_bytes;
	for (const file of files) {
		const id = `sent-${(number += 1)}`;
		const one = { id, name: file.name, state: "sending", local: true };
		if (most && file.size > most) {
			one.state = "failed";
			one.problem = `The file is larger than ${Math.round(most / 1_000_000)} MB, the most that this service takes.`;
		} else queue.push({ id, file, options: host.options() });
		state.documents.set(id, one);
	}
	show();
	next();
}

function next() {
	while (sending < AT_ONCE && queue.length) {
		sending += 1;
		post(queue.shift()).finally(() => {
			sending -= 1;
			next();
		});
	}
}

async function post({ id, file, options }) {
	const body = new FormData();
	body.append("file", file, file.name);
	body.append("options", JSON.stringify(options));
	try {
		const made = await (await api.request("POST", "documents", { body })).json();
		state.files.set(made.id, file);
		state.sent.set(made.id, JSON.stringify(options));
		const entry = { done: 0, pages: 0, ...made };
		// In the place of the entry that stood for it while it was sent.
		state.documents = new Map([...state.documents].map(([key, one]) => (key === id ? [made.id, entry] : [key, one])));
		rows.get(id)?.item.remove();
		rows.delete(id);
		show();
		watch();
	} catch (problem) {
		const one = state.documents.get(id);
		if (one) Object.assign(one, { state: "failed", problem: problem.message });
		say(`${file.name}: ${problem.message}`, true);
		show();
	}
	openFirst();
}

/** Open the first document, where none is open, once the service has it. */
export function openFirst() {
	const first = [...state.documents.values()].find((one) => one.state !== "failed");
	if (!state.current && first && !first.local) host.open(first.id);
}

/** Look at documents that are being read, or whose surrogates are drawn, until there are none. */
export function watch() {
	clearTimeout(timer);
	const reading = [...state.documents.values()].filter(
		(one) => !one.local && (isReading(one) || (one.drawing && one.id === state.current)),
	);
	if (!reading.length) return;
	timer = setTimeout(async () => {
		try {
			const open = state.current;
			if (reading.some((one) => one.id === open)) {
				const document = await api.get(path("", open));
				if (state.current === open) await host.update(document);
			}
			if (reading.some((one) => one.id !== open)) {
				for (const document of (await api.get("documents")).documents) {
					// One that was opened meanwhile needs more than the list says.
					if (state.documents.has(document.id) && document.id !== state.current) adopt(document);
				}
			}
		} catch (problem) {
			say(problem.message, true);
			if (problem.status === 401) return;
			if (problem.status === 404 && state.current) gone(state.current);
		}
		show();
		watch();
	}, PAUSE);
}

/** The service no longer has document *id*. */
export function gone(id) {
	const one = state.documents.get(id);
	if (one) Object.assign(one, { state: "failed", problem: "The service keeps documents for a while only, and this one is gone. Add the file again." });
	host.update();
}

/** Draw the list. */
export function show() {
	const list = $("documents");
	for (const [id, row] of rows) {
		if (state.documents.has(id)) continue;
		row.item.remove();
		rows.delete(id);
	}
	let place = 0;
	for (const one of state.documents.values()) {
		const row = rows.get(one.id) ?? made(one);
		setText(row.name, one.name);
		setText(row.about, about(one));
		row.item.className = one.state;
		row.progress.hidden = !isReading(one) && one.state !== "sending";
		if (one.pages) {
			row.progress.max = one.pages;
			row.progress.value = one.done;
		} else row.progress.removeAttribute("value");
		row.button.disabled = one.state === "sending";
		if (one.id === state.current) row.button.setAttribute("aria-current", "true");
		else row.button.removeAttribute("aria-current");
		if (list.children[place] !== row.item) list.insertBefore(row.item, list.children[place] ?? null);
		place += 1;
	}
	$("no-documents").hidden = state.documents.size > 0;
	const ready = [...state.documents.values()].filter((one) => one.state === "ready");
	$("download-all").hidden = ready.length < 2;
	setText($("download-all"), `Download all ${ready.length}`);
	document.body.classList.toggle("empty", !state.current);
}

function made(one) {
	const name = h("span", { class: "name" });
	const about = h("span", { class: "about" });
	const progress = h("progress", { class: "thin", "aria-label": `Progress of ${one.name}` });
	const button = h("button", { class: "document", title: one.name, onclick: () => host.open(one.id) }, name, about, progress);
	const item = h("li", {}, button, h("button", {
		class: "icon", "aria-label": `Remove ${one.name}`, title: "Remove", onclick: () => remove(one.id),
	}, icon("cross")));
	const row = { item, button, name, about, progress };
	rows.set(one.id, row);
	return row;
}

function about(one) {
	if (one.state === "sending") return "Sending";
	if (one.state === "waiting") return "Waiting";
	if (one.state === "reading") return one.pages ? `Reading ${one.done} of ${one.pages}` : "Reading";
	if (one.state === "failed") return one.problem ? `Not read: ${one.problem}` : "Not read";
	if (one.total === undefined) return "Ready";
	return one.total === one.decided ? `Done: ${plural(one.total, "finding")}` : `${one.decided} of ${one.total.toLocaleString("en")} decided`;
}

/** Remove a document from the service, after a question. */
export async function remove(id) {
	const one = state.documents.get(id);
	const lost = one.state === "ready" && !(await ask("Remove this document?",
		`${one.name} and your decisions about it are deleted from the service. Your own file stays where it is.`, "Remove"));
	if (!lost) await drop(id);
}

/** Remove document *id* without a question. */
export async function drop(id) {
	const one = state.documents.get(id);
	const ids = [...state.documents.keys()];
	const neighbour = ids[ids.indexOf(id) + 1] ?? ids[ids.indexOf(id) - 1] ?? null;
	if (!one.local) {
		try {
			await api.request("DELETE", path("", id));
		} catch (problem) {
			if (problem.status !== 404) {
				say(problem.message, true);
				return;
			}
		}
	}
	state.documents.delete(id);
	state.files.delete(id);
	state.sent.delete(id);
	if (state.current === id) host.open(neighbour);
	show();
}

/** Send the file of the open document once more, with the settings of now; the old one goes. */
export async function readAgain() {
	const id = state.current;
	const file = state.files.get(id);
	if (!file) return;
	const { decided } = state.documents.get(id);
	if (decided && !(await ask("Read this document again?", "What you decided about it is lost. Save the review file first to keep it.", "Read it again"))) return;
	await drop(id);
	state.current = null;
	add([file]);
}
