// The result: made when it is asked for, shown beside the original, downloaded.

import * as api from "./api.js";
import { $, h, say } from "./dom.js";
import { settled } from "./review.js";
import { current, isFresh, isMaking, isReading, path, state } from "./state.js";
import { plural } from "./text.js";

const PAUSE = 300; // milliseconds between two looks at a result that is being made
const making = new Map(); // id of a document -> promise of its result
let viewer = null;
let shown = null; // what the viewer has: "id version"

export function connect(view) {
	viewer = view;
}

/** Make the result of document *id* unless it is there; resolve to whether it is. */
export function make(id = state.current) {
	if (!making.has(id)) making.set(id, attempt(id).finally(() => making.delete(id)));
	return making.get(id);
}

async function attempt(id) {
	await settled();
	let document = state.documents.get(id);
	if (document?.state !== "ready") return false;
	if (isFresh(document)) {
		showResult();
		return true;
	}
	try {
		document.result = { state: "waiting" };
		if (id === state.current) showBanner();
		await api.request("POST", path("/result", id));
		do {
			document.result = { state: "writing" };
			if (id === state.current) showBanner();
			await new Promise((resolve) => setTimeout(resolve, PAUSE));
			const { result } = await api.get(path("", id));
			document = state.documents.get(id);
			if (!document) return false;
			document.result = result;
		} while (isMaking(document));
	} catch (problem) {
		document.result = { state: "failed", problem: problem.message };
	}
	if (id === state.current) {
		showResult();
		showBanner();
	}
	if (document.result.state === "failed") {
		say(document.result.problem || "The result could not be made.", true);
		return false;
	}
	return document.result.state === "ready";
}

function showResult() {
	const document = current();
	const version = `${state.current} ${document?.result?.version ?? document?.version}`;
	if (!isFresh(document) || shown === version) return;
	shown = version;
	viewer.resultChanged();
}

/** Another document is open: nothing of its result is shown yet. */
export function reset() {
	shown = null;
}

/** Show the original, the redacted version ("redacted"), or both ("side"). */
export function setMode(mode) {
	viewer.setMode(mode);
	for (const button of document.querySelectorAll("[data-mode][aria-pressed]")) {
		button.setAttribute("aria-pressed", button.dataset.mode === mode);
	}
	if (mode !== "original") make();
	showBanner();
}

/** Show above the pages what is going on with the document. */
export function showBanner() {
	const one = current();
	const banner = $("banner");
	const stale = one?.result && ["ready", "stale"].includes(one.result.state) && !isFresh(one);
	const sees = viewer.mode !== "original";
	document.body.classList.toggle("stale", Boolean(stale && sees));
	let key = "";
	let parts = [];
	let kind = "";
	if (one && isReading(one)) {
		key = `reading ${one.done} ${one.pages}`;
		const text = one.pages ? `Reading: ${one.done} of ${plural(one.pages, "page")}.` : one.state === "waiting" ? "Waiting for its turn." : "Reading the document.";
		const progress = h("progress", { "aria-label": "Pages that are read", max: one.pages || null, value: one.pages ? one.done : null });
		parts = [text, progress];
	} else if (one?.state === "failed") {
		[key, kind, parts] = [`failed ${one.problem}`, "bad", [one.problem ? `Not read: ${one.problem}` : "Not read"]];
	} else if (isMaking(one) && (sees || making.has(one.id))) {
		[key, parts] = ["making", ["The redacted version is being made and checked.", h("progress", { "aria-label": "Making the redacted version" })]];
	} else if (one?.result?.state === "failed" && sees) {
		[key, kind, parts] = [`no result ${one.result.problem}`, "bad", [one.result.problem || "The redacted version could not be made.", button("Try again")]];
	} else if (stale && sees) {
		[key, kind, parts] = ["stale", "stale", ["The redacted version is out of date: something was changed since.", button("Make it again (m)")]];
	}
	if (banner.signature === key) return;
	banner.signature = key;
	banner.className = `banner ${kind}`;
	banner.hidden = !parts.length;
	banner.replaceChildren(...parts.map((part) => (typeof part === "string" ? h("span", { text: part }) : part)));
}

const button = (text) => h("button", { class: "small", text, onclick: () => make() });

/** Download the result of document *id*; it is made first if need be. */
export async function download(id = state.current) {
	const one = state.documents.get(id);
	if (one?.state !== "ready") return;
	say(isFresh(one) ? "Downloading." : "Making the result, to download it.");
	if (!(await make(id))) return;
	await attemptSave(path("/result", id), one.name);
}

/** Download the report of the open document. */
export async function downloadReport() {
	const { id, name } = current();
	say("Making the report.");
	if (await make(id)) await attemptSave(path("/report", id), `${name}.report.json`);
}

/** Download the review file of the open document. */
export async function downloadReview() {
	await settled();
	const { name } = current();
	const reviewer = $("reviewer").value.trim();
	const query = reviewer ? `?reviewer=${encodeURIComponent(reviewer)}` : "";
	await attemptSave(path(`/review${query}`), `${name}.review.json`);
}

async function attemptSave(from, name) {
	try {
		await api.save(from, name);
		say("Downloaded.");
	} catch (problem) {
		say(problem.message, true);
	}
}
