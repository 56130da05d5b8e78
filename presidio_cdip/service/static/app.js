// The page: connects documents, viewer and review with what the user does.

import { Adding } from "./adding.js";
import * as api from "./api.js";
import * as documents from "./documents.js";
import { $, ask, h, say, setText } from "./dom.js";
import * as keys from "./keys.js";
import * as picker from "./picker.js";
import * as result from "./result.js";
import * as review from "./review.js";
import * as settings from "./settings.js";
import { current, isFresh, isReading, path, selected, state } from "./state.js";
import { learnEntities, plural } from "./text.js";
import { Viewer } from "./viewer.js";

const MODES = ["original", "redacted"];
const views = new Map(); // "number" -> promise of what the service says of a view

const viewer = new Viewer($("viewer"), {
	image: (number, redacted, signal) => api.objectUrl(path(`/views/${number}.png${redacted ? "?result=1" : ""}`), signal),
	view: loadView,
	findings: (number) => state.byView.get(number) ?? [],
	finding: (id) => state.findings.get(id),
	selected: () => state.selected,
	select: (id) => review.select(id, { focus: true, reveal: false }),
	page: (number) => {
		$("page").value = number;
	},
	resultReady: () => isFresh(current()),
});

const adding = new Adding($("viewer"), $("add-finding"), {
	viewer,
	canAdd: () => state.loaded,
	add: review.add,
	selected,
});

async function loadView(number, redacted) {
	const id = state.current;
	if (current()?.state !== "ready") return null;
	const key = `${id} ${number}`;
	try {
		if (redacted) return await api.get(path(`/views/${number}?result=1`, id));
		if (!views.has(key)) views.set(key, api.get(path(`/views/${number}`, id)));
		return await views.get(key);
	} catch (problem) {
		views.delete(key);
		if (state.current === id) say(problem.message, true);
		return null;
	}
}

// Documents

async function open(id) {
	if (state.current === id && id) return;
	adding.stop();
	picker.close();
	state.current = id;
	views.clear();
	viewer.clear();
	review.clear();
	result.reset();
	if (viewer.mode !== "original") result.setMode("original");
	update();
	documents.show();
	if (!id || current().local) return;
	try {
		const news = await api.get(path());
		if (state.current === id) await update(news);
	} catch (problem) {
		if (problem.status === 404) documents.gone(id);
		else say(problem.message, true);
	}
	documents.watch();
}

/** Show what is known of the open document; *news* is what the service says of it now. */
async function update(news) {
	const drawn = state.loaded && current()?.drawing && news && !news.drawing;
	if (news) documents.adopt(news);
	if (drawn) await review.learn();
	const one = current();
	const { id } = one ?? {};
	setText($("title"), one?.name ?? "Review");
	document.title = one ? `${one.name} · presidio-cdip` : "Review · presidio-cdip";
	viewer.update(one?.views ?? []);
	pages();
	changed();
	if (one?.state !== "ready" || !one.views || state.loaded) return;
	try {
		await review.load();
	} catch (problem) {
		say(problem.message, true);
	}
	if (state.current !== id || !state.loaded) return;
	viewer.ready();
	changed();
	const total = state.findings.size;
	say(`${one.name} is ready: ${plural(total, "finding")}.`);
	if (document.activeElement === document.body || document.activeElement.closest?.(".document, #choose")) review.focusList();
}

/** Show what depends on the decisions: after each of them. */
function changed() {
	const one = current();
	const about = one && [one.format?.toUpperCase(), one.views?.length > 1 && plural(one.views.length, pageWord(one)),
		state.loaded && plural(state.findings.size, "finding")].filter(Boolean).join(" · ");
	setText($("subtitle"), about || "");
	const ready = one?.state === "ready";
	for (const id of ["download", "report", "save-review", "load-review", "add-finding"]) $(id).disabled = !ready;
	const again = state.files.has(state.current) && state.sent.get(state.current) !== JSON.stringify(settings.chosen());
	$("again-note").hidden = !again || isReading(one);
	review.showNotes();
	result.showBanner();
	documents.show();
	if (one?.drawing) documents.watch();
}

const pageWord = (one) => (one.views.every((view) => /^page/i.test(view.title)) ? "page" : "part");

function pages() {
	const list = current()?.views ?? [];
	const select = $("page");
	if (select.options.length !== list.length || select.dataset.of !== state.current) {
		select.dataset.of = state.current;
		select.replaceChildren(...list.map((view) => h("option", { value: view.number, text: view.title })));
		select.value = viewer.current ?? "";
	}
	$("pages").hidden = list.length < 2;
}

function turn(step) {
	const numbers = viewer.numbers;
	const at = numbers.indexOf(viewer.current) + step;
	if (numbers[at] !== undefined) viewer.goTo(numbers[at]);
}

function nextDocument(step) {
	const ids = [...state.documents.values()].filter((one) => !one.local).map((one) => one.id);
	const id = ids[ids.indexOf(state.current) + step];
	if (id) open(id);
}

// Size, panels

function zoom(factor) {
	viewer.setZoom(factor ? viewer.zoom * factor : 1);
	const percent = `${Math.round(viewer.zoom * 100)} %`;
	$("zoom-fit").textContent = percent;
	$("zoom-fit").setAttribute("aria-label", `Fit to width, now ${percent}`);
}

const wide = matchMedia("(min-width: 1100px)");

function toggleLeft(toggled = !document.body.classList.contains("left-toggled")) {
	document.body.classList.toggle("left-toggled", toggled);
}

function toggle(checkbox) {
	checkbox.checked = !checkbox.checked;
	checkbox.dispatchEvent(new Event("change", { bubbles: true }));
}

function focusFilter() {
	document.body.dataset.panel = "findings";
	$("search").focus();
	$("search").select();
}

// What the mouse does

const clicks = {
	add: () => $("file").click(),
	choose: () => $("file").click(),
	"download-all": downloadAll,
	again: documents.readAgain,
	"toggle-left": () => toggleLeft(),
	"previous-page": () => turn(-1),
	"next-page": () => turn(1),
	"zoom-in": () => zoom(1.25),
	"zoom-out": () => zoom(0.8),
	"zoom-fit": () => zoom(0),
	"add-finding": () => (adding.active ? adding.stop() : adding.start()),
	download: () => result.download(),
	report: () => result.downloadReport(),
	"save-review": () => result.downloadReview(),
	"load-review": () => $("review-file").click(),
	help,
	"keys-close": () => $("keys").close(),
	undo: () => review.step("undo"),
	redo: () => review.step("redo"),
	previous: () => review.move(-1),
	next: () => review.move(1),
	accept: () => review.decide("accepted"),
	reject: () => review.decide("rejected"),
	reopen: () => review.decide("open"),
	remove: () => review.remove(),
	type: () => review.changeType(),
	drawn: () => review.useDrawn(),
};

function help() {
	$("keys").showModal();
	$("keys-close").focus();
}

async function downloadAll() {
	for (const one of [...state.documents.values()]) if (one.state === "ready") await result.download(one.id);
}

for (const [id, run] of Object.entries(clicks)) {
	$(id).addEventListener("click", () => {
		if ($(id).closest(".menu")) $("more").open = false;
		run();
	});
}
for (const button of document.querySelectorAll("button[data-mode], button[data-panel]")) {
	const { mode, panel } = button.dataset;
	button.addEventListener("click", () => (mode ? result.setMode(mode) : (document.body.dataset.panel = panel)));
}

/** Say which parts are shown, to who does not see it. */
function showParts() {
	for (const button of document.querySelectorAll(".bottom button")) {
		button.setAttribute("aria-pressed", button.dataset.panel === document.body.dataset.panel);
	}
	$("toggle-left").setAttribute("aria-expanded", $("left").getClientRects().length > 0);
}
new MutationObserver(showParts).observe(document.body, { attributeFilter: ["class", "data-panel", "data-mode"] });

$("page").addEventListener("change", () => viewer.goTo(Number($("page").value)));
$("labels").addEventListener("change", () => document.body.classList.toggle("no-labels", !$("labels").checked));
for (const id of ["order", "by-entity", "by-page", "open-only"]) $(id).addEventListener("change", review.filterChanged);
$("search").addEventListener("input", review.filterChanged);
$("search").addEventListener("keydown", (event) => {
	if (event.key === "Enter" || event.key === "ArrowDown") {
		event.preventDefault();
		review.focusList();
	}
});
$("surrogate").addEventListener("keydown", (event) => {
	if (event.key === "Enter") {
		review.commitSurrogate(event.shiftKey || $("everywhere").checked);
		review.focusList();
	} else if (event.key === "Escape") {
		$("surrogate").value = $("surrogate").dataset.shown;
		review.focusList();
	} else return;
	event.preventDefault();
});
$("surrogate").addEventListener("blur", () => review.commitSurrogate());
document.addEventListener("pointerdown", (event) => {
	if (!event.target.closest?.("#more")) $("more").open = false;
	if (!wide.matches && !event.target.closest?.("#left, #toggle-left, dialog")) toggleLeft(false);
});
wide.addEventListener("change", () => toggleLeft(false));

$("file").addEventListener("change", () => {
	documents.add([...$("file").files]);
	$("file").value = "";
});
$("review-file").addEventListener("change", async () => {
	const [file] = $("review-file").files;
	$("review-file").value = "";
	const lost = current().decided && !(await ask("Load this review file?", "It takes the place of the decisions that you made here.", "Load it"));
	if (!file || lost) return;
	review.loadReview(file).catch((problem) => say(problem.message, true));
});

for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
	addEventListener(kind, (event) => {
		if (!event.dataTransfer?.types.includes("Files")) return;
		event.preventDefault();
		$("drop-here").hidden = kind === "drop" || (kind === "dragleave" && !event.relatedTarget); // out of the window
		if (kind === "drop") documents.add([...event.dataTransfer.files]);
	});
}

// What the keys do

keys.listen([
	{ title: "Findings", keys: [
		["j ArrowDown", "Next finding", () => review.move(1), "j, ↓"],
		["k ArrowUp", "Previous finding", () => review.move(-1), "k, ↑"],
		["a", "Accept, and go to the next open one", () => review.decide("accepted")],
		["r", "Reject, and go to the next open one", () => review.decide("rejected")],
		["Shift+a", "Accept everywhere this text stands", () => review.decide("accepted", true)],
		["Shift+r", "Reject everywhere this text stands", () => review.decide("rejected", true)],
		["g", "Accept all open ones of this type", () => review.acceptGroup()],
		["o", "Open again", () => review.decide("open")],
		["e", "Edit what it becomes (Shift Enter: everywhere)", review.editSurrogate],
		["t", "Change its type (Shift Enter: everywhere)", review.changeType],
		["Delete", "Remove what you added; reject others", review.remove],
		["u Ctrl+z", "Undo", () => review.step("undo"), "u, Ctrl z"],
		["Shift+u y Ctrl+y Ctrl+Shift+z", "Redo", () => review.step("redo"), "Shift u, y"],
	] },
	{ title: "Add a finding", keys: [
		["+", "Start adding on this page", () => adding.start()],
		["", "Go from word to word, or move the box", null, "← → ↑ ↓"],
		["", "Take more words, or change the size", null, "Shift ←→↑↓"],
		["", "One character; on a page: a free box", null, "Alt ←→"],
		["", "Add it, or stop", null, "Enter, Esc"],
	] },
	{ title: "View", keys: [
		["v", "Original or redacted", () => result.setMode(MODES[Number(viewer.mode === "original")])],
		["b", "Side by side", () => result.setMode(viewer.mode === "side" ? "original" : "side")],
		["m", "Make the redacted version again", () => result.make()],
		["n", "Next page", () => turn(1)],
		["p", "Previous page", () => turn(-1)],
		["z", "Larger", () => zoom(1.25)],
		["Shift+z", "Smaller", () => zoom(0.8)],
		["0", "Fit to width", () => zoom(0)],
		["l", "Labels on or off", () => toggle($("labels"))],
	] },
	{ title: "Documents", keys: [
		["/", "Filter the findings", focusFilter],
		["f", "Open findings only, or all", () => toggle($("open-only"))],
		["]", "Next document", () => nextDocument(1)],
		["[", "Previous document", () => nextDocument(-1)],
		["i", "Add files", () => $("file").click()],
		["d", "Download the redacted document", () => result.download()],
		["s", "Save the review file", () => current()?.state === "ready" && result.downloadReview()],
		["?", "These keys", help],
	] },
], (event) => adding.key(event), (field) => {
	if (adding.active) adding.stop();
	else if ($("more").open) $("more").open = false;
	else if (field) {
		if (field.id === "search" && field.value) {
			field.value = "";
			review.filterChanged();
		}
		review.focusList();
	} else return false;
	return true;
});

// The start

async function start() {
	const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
	$("where").textContent = local
		? "The service runs on this computer: nothing leaves it."
		: `Documents are sent to ${location.hostname}, and nowhere else. They are deleted there after a while.`;
	documents.connect({ open, update, options: settings.chosen });
	review.connect(viewer, changed);
	review.clear();
	result.connect(viewer);
	showParts();
	changed();
	try {
		state.options = await api.get("options");
		learnEntities(state.options.entities);
		picker.setEntities(state.options.entities.map((one) => one.name));
		$("file").accept = state.options.formats.join(",");
		$("formats").textContent = state.options.formats.map((one) => one.replace(/^\./, "")).join(" · ");
		settings.build(state.options, changed);
		await documents.load();
		documents.openFirst();
	} catch (problem) {
		say(problem.message, true);
	}
}

start();
