// The review of the open document: findings, decisions, the selected finding.

import * as api from "./api.js";
import { $, h, icon, say, setText } from "./dom.js";
import { FindingsList } from "./list.js";
import * as picker from "./picker.js";
import { becomes, current, path, selected, state } from "./state.js";
import { hue, label, oneLine, plural } from "./text.js";

const DONE = { accepted: "Accepted", rejected: "Rejected", open: "Open again" };
let viewer = null;
let changed = () => {}; // called after each change of the document
let chain = Promise.resolve(); // changes are sent one after the other
let waiting = 0; // changes after which another finding may be selected

const list = new FindingsList($("list"), {
	finding: (id) => state.findings.get(id),
	select: (id) => {
		select(id, { focus: true });
		if (matchMedia("(max-width: 719px)").matches) document.body.dataset.panel = "document";
	},
	decide: (id, decision) => {
		if (id !== state.selected) select(id, { focus: true, quiet: true });
		decide(decision);
	},
	acceptGroup,
});

/** Connect the review with the viewer; *onChange* is called after each change. */
export function connect(shown, onChange) {
	viewer = shown;
	changed = onChange;
}

/** Resolve when all changes so far have been sent. */
export const settled = () => chain;

export const focusList = () => list.focus();

/** Forget the findings: another document is opened. */
export function clear() {
	state.findings.clear();
	state.byView.clear();
	state.selected = null;
	state.loaded = false;
	$("surrogate").dataset.of = "";
	$("search").value = "";
	$("open-only").checked = false;
	choices();
	showRows();
	showCounts();
	showInspector();
}

/** Get the findings of the open document, and show them. */
export async function load() {
	const id = state.current;
	const { version, findings } = await api.get(path("/findings"));
	if (state.current !== id) return;
	const before = state.selected;
	state.findings = new Map(findings.map((finding) => [finding.id, placed(finding)]));
	state.loaded = true;
	state.selected = state.findings.has(before) ? before : null;
	current().version = version;
	sortByView();
	choices();
	showRows();
	viewer.refresh(new Set(state.findings.keys()), new Set(viewer.numbers));
	if (!state.selected) select(list.nextOpen(null) ?? list.ids[0] ?? null, { reveal: false });
	else showInspector();
	showCounts();
}

/** Get what the service drew since the findings were loaded. */
export async function learn() {
	const document = state.current;
	const { findings } = await api.get(path("/findings"));
	if (state.current !== document) return;
	const drawn = findings.filter(({ id, surrogate }) => (state.findings.get(id)?.surrogate ?? surrogate) !== surrogate);
	for (const { id, surrogate } of drawn) state.findings.get(id).surrogate = surrogate;
	if (drawn.length) refresh(new Set(drawn.map(({ id }) => id)));
}

function placed(finding) {
	const views = current().views ?? [];
	const title = views.find((view) => view.number === finding.view)?.title ?? "";
	finding.place = views.length > 1 ? title.replace(/^page (\d+)$/i, "p. $1") : "";
	finding.unread ??= false;
	return finding;
}

function sortByView() {
	state.byView.clear();
	for (const finding of state.findings.values()) {
		if (!state.byView.has(finding.view)) state.byView.set(finding.view, []);
		state.byView.get(finding.view).push(finding);
	}
}

// The list

/** Offer the types and pages that the findings have. */
function choices() {
	const entities = [...new Set([...state.findings.values()].map((one) => one.entity))].sort(byEntity);
	const views = current()?.views?.filter((view) => state.byView.has(view.number)) ?? [];
	fill($("by-entity"), [["", "All types"], ...entities.map((name) => [name, label(name)])]);
	fill($("by-page"), [["", "All pages"], ...views.map((view) => [`${view.number}`, view.title])]);
}

function fill(select, values) {
	const before = select.value;
	const signature = values.flat().join("\n");
	if (select.signature !== signature) {
		select.signature = signature;
		select.replaceChildren(...values.map(([value, text]) => h("option", { value, text })));
	}
	select.value = values.some(([value]) => value === before) ? before : "";
}

function byEntity(a, b) {
	const order = state.options?.entities.map((one) => one.name) ?? [];
	return order.indexOf(a) - order.indexOf(b) || a.localeCompare(b);
}

/** The findings that pass the filters, in the chosen order. */
function filtered() {
	const text = $("search").value.trim().toLowerCase();
	const entity = $("by-entity").value;
	const page = $("by-page").value;
	const openOnly = $("open-only").checked;
	return [...state.findings.values()].filter(
		(one) =>
			(!entity || one.entity === entity) &&
			(!page || `${one.view}` === page) &&
			(!openOnly || one.decision === "open") &&
			(!text || `${one.value}\n${one.surrogate}\n${label(one.entity)}`.toLowerCase().includes(text)),
	);
}

/** Build the rows of the list again; the list itself draws only those that are seen. */
export function showRows() {
	const findings = filtered();
	const order = $("order").value;
	const grouped = order === "type";
	let rows;
	if (grouped) {
		const groups = new Map();
		for (const one of findings) {
			if (!groups.has(one.entity)) groups.set(one.entity, []);
			groups.get(one.entity).push(one);
		}
		rows = [...groups].sort(([a], [b]) => byEntity(a, b)).flatMap(([group, ones]) => [
			{ group, ids: ones.map((one) => one.id), open: ones.filter((one) => one.decision === "open").length },
			...ones.map(({ id }) => ({ id })),
		]);
	} else {
		if (order === "unsure") findings.sort((a, b) => certainty(a) - certainty(b));
		rows = findings.map(({ id }) => ({ id }));
	}
	list.show(rows, grouped);
	const empty = $("nothing");
	empty.hidden = rows.length > 0 || !state.loaded;
	setText(empty, state.findings.size ? "No finding passes these filters." : "Nothing was found in this document.");
}

const certainty = (finding) => (finding.by === "reviewer" ? 2 : finding.score);

function showCounts() {
	const document = current();
	const total = state.findings.size;
	let decided = 0;
	for (const one of state.findings.values()) if (one.decision !== "open") decided += 1;
	setText($("count"), state.loaded ? `${decided} of ${total.toLocaleString("en")} decided` : "");
	$("decided").max = Math.max(1, total);
	$("decided").value = decided;
	if (document && state.loaded) [document.total, document.decided] = [total, decided];
	$("undo").disabled = !document?.can_undo;
	$("redo").disabled = !document?.can_redo;
}

/** React to a filter or the order that was changed. */
export function filterChanged() {
	showRows();
	if (list.has(state.selected)) list.select(state.selected, false);
	else if (list.ids.length) select(list.ids[0], { reveal: false });
	showInspector();
}

// Selection

/** Select finding *id*: mark it everywhere and, unless told otherwise, bring it into view. */
export function select(id, { focus = false, reveal = true, quiet = false } = {}) {
	const before = state.selected;
	if (before !== id) commitSurrogate();
	state.selected = id;
	list.select(id, focus);
	viewer.mark(id, before);
	showInspector();
	if (id && reveal && !quiet) viewer.reveal(id);
}

/** Select the finding *step* places further in the list. */
export function move(step) {
	const id = list.neighbour(state.selected, step);
	if (id) select(id, { focus: true });
	else list.focus();
}

function same(finding) {
	const value = oneLine(finding.value).toLowerCase();
	if (!value) return [finding];
	return [...state.findings.values()].filter((one) => oneLine(one.value).toLowerCase() === value);
}

function showInspector() {
	const finding = selected();
	$("inspector").hidden = !finding;
	if (!finding) return;
	const box = $("inspector");
	box.style.setProperty("--h", hue(finding.entity));
	const at = list.position(finding.id);
	setText($("at"), at ? `${at.toLocaleString("en")} of ${list.count.toLocaleString("en")}` : "not in the list");
	setText($("decision"), finding.by === "reviewer" ? `${finding.decision}, added by you` : finding.decision);
	$("decision").className = `chip ${finding.decision}`;
	setText($("value"), finding.value || "Area without text");
	setText($("type"), label(finding.entity));
	const field = $("surrogate");
	if (document.activeElement !== field || field.dataset.of !== finding.id) {
		field.dataset.of = finding.id;
		field.value = finding.surrogate ?? "";
		field.dataset.shown = field.value;
		field.placeholder = becomes(finding);
	}
	field.disabled = finding.unread;
	$("drawn").hidden = !finding.typed;
	setText($("why"), reason(finding));
	const count = same(finding).length;
	if ($("everywhere").dataset.of !== finding.id) $("everywhere").checked = false;
	$("everywhere").dataset.of = finding.id;
	$("everywhere-label").hidden = count < 2;
	setText($("everywhere-text"), `At all ${count.toLocaleString("en")} places with this text`);
	$("accept").setAttribute("aria-pressed", finding.decision === "accepted");
	$("reject").setAttribute("aria-pressed", finding.decision === "rejected");
	$("reopen").hidden = finding.decision === "open";
	$("remove").hidden = finding.by !== "reviewer";
}

function reason({ by, score, why, found_as: before, entity }) {
	const parts = [by === "found" && `Score ${score.toFixed(2)}`, why, before && before !== entity && `Found as ${label(before)}`];
	return parts.filter(Boolean).join(" · ");
}

// Changes

/**
 * Send a change after those before it, then show what the service says has changed. What comes
 * after it waits if there is a *then*, which may select another finding.
 */
function change(method, rest, json, then) {
	const id = state.current;
	waiting += then ? 1 : 0;
	chain = chain.then(async () => {
		try {
			const changes = await api.send(method, path(rest, id), json);
			if (state.current !== id) return;
			apply(changes);
			then?.(changes);
		} catch (problem) {
			say(problem.message, true);
			if (state.current === id) await load().catch(() => {});
			changed();
		} finally {
			waiting -= then ? 1 : 0;
		}
	});
	return chain;
}

/** Change *finding*, and with *everywhere* all that have its text. */
function edit(finding, json, everywhere, then) {
	const all = everywhere && same(finding).length > 1;
	return change("PATCH", `/findings/${finding.id}`, all ? { ...json, everywhere } : json, then);
}

function apply(changes) {
	const document = current();
	Object.assign(document, {
		version: changes.version, can_undo: changes.can_undo, can_redo: changes.can_redo,
	});
	const ids = new Set(changes.removed);
	const views = new Set();
	let added = false;
	for (const id of changes.removed) {
		const finding = state.findings.get(id);
		if (finding) views.add(finding.view);
		state.findings.delete(id);
	}
	for (const finding of changes.changed) {
		const before = state.findings.get(finding.id);
		if (!before || before.start !== finding.start || before.end !== finding.end || before.view !== finding.view) {
			views.add(finding.view);
			added = true;
		}
		ids.add(finding.id);
		state.findings.set(finding.id, placed(finding));
		document.drawing ||= becomes(finding) === "…";
	}
	if (added) sort();
	sortByView();
	choices();
	refresh(ids, views);
}

/** Put the findings into the order of the document again, after one was added. */
function sort() {
	const top = (one) => one.boxes?.[0]?.[1] ?? 0;
	const place = (one) => one.start ?? -1;
	const ordered = [...state.findings.values()].sort(
		(a, b) => a.view - b.view || (a.unread || b.unread ? top(a) - top(b) : place(a) - place(b)),
	);
	state.findings = new Map(ordered.map((one) => [one.id, one]));
}

function refresh(ids, views = new Set()) {
	showRows();
	if (state.selected && !state.findings.has(state.selected)) {
		select(list.ids[0] ?? null, { reveal: false });
	} else {
		list.select(state.selected, false);
	}
	viewer.refresh(ids, views);
	showCounts();
	showInspector();
	changed();
}

/** Accept, reject or open the selected finding, and go to the next open one. */
export function decide(decision, everywhere = $("everywhere").checked) {
	if (waiting) return void chain.then(() => decide(decision, everywhere));
	const finding = selected();
	if (!finding) return;
	commitSurrogate();
	const focus = !document.activeElement.closest(".inspector button");
	const all = everywhere && same(finding).length > 1;
	const next = decision === "open" ? null : list.nextOpen(finding.id);
	const places = all ? ` at ${plural(same(finding).length, "place")}` : "";
	if (finding.decision !== decision || all) {
		finding.decision = decision; // at once; what the service answers counts
		edit(finding, { decision }, everywhere, all ? () => {
			if (selected()?.decision !== "open" && decision !== "open") {
				const following = list.nextOpen(state.selected);
				if (following) select(following, { focus });
			}
		} : undefined);
	}
	showRows();
	viewer.refresh(new Set([finding.id]));
	showCounts();
	changed();
	const rest = state.findings.size - $("decided").value;
	say(rest ? `${DONE[decision]}${places}. ${rest.toLocaleString("en")} open.` : `${DONE[decision]}${places}. All findings are decided: d downloads the result.`);
	if (next && !all) select(next, { focus });
	else select(finding.id, { focus, reveal: false });
}

/** Accept all open findings of type *group* that pass the filters. */
export function acceptGroup(wanted) {
	if (waiting) return void chain.then(() => acceptGroup(wanted));
	const group = wanted ?? selected()?.entity;
	const ids = filtered().filter((one) => one.entity === group && one.decision === "open").map((one) => one.id);
	if (!ids.length) return;
	change("PATCH", "/findings", { findings: ids, decision: "accepted" }, () => {
		say(`Accepted ${plural(ids.length, "finding")}: ${label(group)}.`);
		const next = list.nextOpen(state.selected);
		if (next && selected()?.decision !== "open") select(next, { focus: true });
	});
}

/** Ask for another type of the selected finding. */
export function changeType() {
	const finding = selected();
	if (!finding) return;
	const shown = $("type").getClientRects().length > 0;
	picker.open({
		rect: (shown ? $("type") : $("viewer")).getBoundingClientRect(),
		title: "Change the type to",
		current: finding.entity,
		canEverywhere: same(finding).length > 1,
		choose: (entity, everywhere) =>
			edit(finding, { entity }, everywhere || $("everywhere").checked, () => say(`Now ${label(entity)}.`)),
		closed: () => list.focus(),
	});
}

/** Put the focus into the field of the surrogate. */
export function editSurrogate() {
	const field = $("surrogate");
	if (!selected() || field.disabled) return;
	field.focus();
	field.select();
}

/** Send what was typed as surrogate, if it is another one. */
export function commitSurrogate(everywhere = $("everywhere").checked) {
	const field = $("surrogate");
	const finding = state.findings.get(field.dataset.of);
	if (!finding || field.disabled || field.value === field.dataset.shown) return;
	field.dataset.shown = field.value;
	const surrogate = field.value.trim() || null;
	finding.surrogate = surrogate ?? finding.surrogate;
	finding.typed = surrogate !== null;
	edit(finding, { surrogate }, everywhere, () =>
		say(surrogate === null ? "The drawn value is used." : `Becomes ${surrogate}.`));
}

/** Go back to the value that the service drew. */
export function useDrawn() {
	const finding = selected();
	if (finding) edit(finding, { surrogate: null }, $("everywhere").checked, () => say("The drawn value is used."));
}

/** Add a finding: {view, start, end} or {view, box}, with entity and perhaps everywhere. */
export function add(what) {
	change("POST", "/findings", what, ({ changed: made }) => {
		say(`Added ${plural(made.length, "finding")}: ${label(what.entity)}.`);
		if (made.length) select(made[0].id, { focus: true });
	});
}

/** Take away the selected finding if the reviewer added it; reject it otherwise. */
export function remove() {
	const finding = selected();
	if (!finding) return;
	if (finding.by !== "reviewer") {
		decide("rejected");
		return;
	}
	const next = list.neighbour(finding.id, 1) ?? list.neighbour(finding.id, -1);
	change("DELETE", `/findings/${finding.id}`, undefined, () => {
		say("Removed.");
		if (next) select(next, { focus: true });
	});
}

/** Undo the last change, or redo it. */
export function step(way) {
	commitSurrogate();
	change("POST", `/${way}`, {}, ({ changed: made, removed }) => {
		say(way === "undo" ? "Undone." : "Done again.");
		if (made.length) select(made[0].id, { focus: true });
		else if (!removed.length) say(way === "undo" ? "There is nothing to undo." : "There is nothing to redo.");
	});
}

/** Load a review file. */
export async function loadReview(file) {
	await settled();
	let review;
	try {
		review = JSON.parse(await file.text());
	} catch {
		say("This is not a review file: it is no JSON.", true);
		return;
	}
	await api.send("PUT", path("/review"), review);
	await load();
	Object.assign(current(), await api.get(path()));
	showCounts();
	changed();
	say("The review file is loaded.");
}

// Notes

/** Show what was not read, and what will be removed. */
export function showNotes() {
	const { unread = [], removed = [] } = current() ?? {};
	const box = $("notes");
	const signature = JSON.stringify([state.current, unread, removed]);
	if (box.signature === signature) return;
	box.signature = signature;
	box.replaceChildren();
	if (unread.length) {
		box.append(notes("unread", `Not read: ${plural(unread.length, "place")}`,
			"Nothing looked for personal data here. What stands here stays as it is, unless you draw a box over it.",
			unread.map((one) => noted(one.where, one.what, one.view))));
	}
	if (removed.length) {
		const count = removed.reduce((sum, one) => sum + (one.count ?? 1), 0);
		box.append(notes("removed", `Will be removed: ${plural(count, "part")}`,
			"The result does not have these, because nothing can read them.",
			removed.map((one) => noted(one.where, one.count > 1 ? `${one.what} (${one.count})` : one.what))));
	}
}

function notes(kind, title, text, items) {
	const summary = h("summary", {}, icon("warn"), title);
	return h("details", { class: `notes ${kind}` }, summary, h("p", { class: "muted", text }), h("ul", {}, ...items));
}

function noted(where, what, view = null) {
	const words = [h("b", { text: where }), " ", what];
	if (view === null || view === undefined) return h("li", {}, ...words);
	return h("li", {}, h("button", { class: "link", onclick: () => viewer.goTo(view) }, ...words));
}
