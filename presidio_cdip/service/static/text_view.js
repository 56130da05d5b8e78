// A view of text: its segments in chunks that are built only near the screen, with marks.

import { h } from "./dom.js";
import { hue, label, oneLine, pieces } from "./text.js";

const CHUNK = 40; // segments
const CHARACTERS = 6000; // of a chunk, unless one segment has more

export class TextView {
	segments = [];
	#result = null; // segments of the result
	#pairs = []; // index of a segment -> index in the result
	#buckets = []; // index of a segment -> its findings
	#chunks = [];
	#loading = null;
	#isNear = false;

	constructor(info, viewer) {
		this.info = info;
		this.viewer = viewer;
		this.number = info.number;
		this.body = h("div", { class: "text-body" }, h("p", { class: "wait", text: "The text is being read." }));
		this.element = h("section", { class: "view text", "data-view": info.number, "aria-label": info.title },
			h("h3", { class: "view-title", text: info.title }), this.body);
	}

	near() {
		this.#isNear = true;
		this.#load();
	}

	far() {
		this.#isNear = false;
	}

	close() {
		this.#isNear = false;
		this.#chunks = [];
	}

	ready() {
		if (this.#isNear) this.#load();
	}

	modeChanged() {
		if (this.viewer.mode === "original") return;
		if (!this.#result) this.resultChanged();
		else for (const chunk of this.#chunks) if (chunk.filled && !chunk.both) chunk.fill();
	}

	async resultChanged() {
		this.#result = null;
		if (!this.segments.length || this.viewer.mode === "original") return;
		await this.#loadResult();
		for (const chunk of this.#chunks) if (chunk.filled) chunk.fill();
	}

	refresh(ids) {
		if (!ids.size) return;
		for (const mark of this.body.querySelectorAll("mark[data-id]")) {
			if (ids.has(mark.dataset.id)) this.#dress(mark, this.viewer.host.finding(mark.dataset.id));
		}
	}

	findingsChanged(ids) {
		this.#sortFindings();
		for (const chunk of this.#chunks) {
			if (!chunk.filled) continue;
			for (let index = chunk.from; index < chunk.to; index += 1) {
				const cell = this.cell(index);
				const had = [...cell.querySelectorAll("mark")].some((mark) => ids.has(mark.dataset.id));
				if (had || this.#buckets[index].some((one) => ids.has(one.id))) this.#fillText(cell, index);
			}
		}
	}

	/** Return the element of *finding*, building what is needed for it. */
	async place(finding) {
		await this.#load();
		const index = this.#segmentAt(finding.start);
		const chunk = this.#chunks.find((one) => index < one.to);
		if (!chunk) return this.element;
		chunk.fill(false);
		const mark = chunk.element.querySelector(`.original mark[data-id="${CSS.escape(finding.id)}"]`);
		const shown = this.viewer.mode === "redacted" ? null : mark;
		return shown ?? chunk.element.children[index - chunk.from] ?? chunk.element;
	}

	blockAt(line) {
		const chunk = this.#chunks.find((one) => one.element.getBoundingClientRect().bottom > line);
		const row = [...(chunk?.element.children ?? [])].find((one) => one.getBoundingClientRect().bottom > line);
		return row ?? chunk?.element ?? this.element;
	}

	/** Return the element that holds the text of segment *index*; builds it if need be. */
	cell(index) {
		const chunk = this.#chunks.find((one) => index < one.to);
		chunk.fill(false);
		return chunk.element.children[index - chunk.from].querySelector(".original .words");
	}

	async #load() {
		this.#loading ??= this.viewer.host.view(this.number, false).then(async (data) => {
			if (!data) {
				this.#loading = null;
				return;
			}
			this.segments = data.segments;
			this.#sortFindings();
			if (this.viewer.mode !== "original") await this.#loadResult();
			this.#build();
		});
		return this.#loading;
	}

	async #loadResult() {
		if (!this.viewer.host.resultReady()) return;
		const data = await this.viewer.host.view(this.number, true);
		this.#result = data?.segments ?? null;
		this.#pairs = this.#result ? paired(this.segments, this.#result) : [];
	}

	#build() {
		for (const chunk of this.#chunks) this.viewer.forget(chunk.element);
		this.#chunks = [];
		let from = 0;
		let characters = 0;
		this.segments.forEach((segment, index) => {
			characters += segment.text.length;
			const full = index + 1 - from >= CHUNK || characters >= CHARACTERS;
			if (!full && index + 1 < this.segments.length) return;
			this.#chunks.push(new Chunk(this, from, index + 1, characters));
			from = index + 1;
			characters = 0;
		});
		this.body.replaceChildren(...this.#chunks.map((chunk) => chunk.element));
		for (const chunk of this.#chunks) this.viewer.watch(chunk.element, chunk);
		if (!this.segments.length) this.body.replaceChildren(h("p", { class: "wait", text: "No text." }));
	}

	#sortFindings() {
		this.#buckets = this.segments.map(() => []);
		for (const finding of this.viewer.host.findings(this.number)) {
			let index = this.#segmentAt(finding.start);
			while (index < this.segments.length && this.segments[index].start < finding.end) {
				if (this.segments[index].end > finding.start) this.#buckets[index].push(finding);
				index += 1;
			}
		}
		for (const bucket of this.#buckets) bucket.sort((a, b) => a.start - b.start || b.end - a.end);
	}

	/** The segment that holds the code point at *start*, or the first one after it. */
	#segmentAt(start) {
		let [low, high] = [0, this.segments.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.segments[middle].end <= start) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** Return the row of segment *index*: the original and, where it is shown, the result. */
	row(index) {
		const segment = this.segments[index];
		const words = h("span", { class: "words", "data-segment": index });
		this.#fillText(words, index);
		const row = h("div", { class: "segment", title: segment.where }, cell("original", segment, words));
		if (this.viewer.mode === "original") return row;
		const twin = this.#result?.[this.#pairs[index]];
		const text = h("span", { class: "words" });
		if (twin) text.append(...this.#replaced(twin.text, index));
		else text.append(h("span", { class: "muted", text: this.#result ? "(removed)" : "…" }));
		row.append(cell("result", twin ?? segment, text));
		return row;
	}

	#fillText(words, index) {
		const segment = this.segments[index];
		words.replaceChildren(...pieces(segment.text, segment.start, this.#buckets[index]).map(
			([text, finding]) => (finding ? this.#dress(h("mark", { text, "data-id": finding.id }), finding) : text),
		));
	}

	#dress(mark, finding) {
		if (!finding) return mark;
		const selected = finding.id === this.viewer.host.selected() ? " selected" : "";
		const after = mark.classList.contains("new") ? " new" : "";
		mark.className = `${finding.decision}${selected}${after}`;
		mark.dataset.label = label(finding.entity);
		mark.style.setProperty("--h", hue(finding.entity));
		return mark;
	}

	/** The text of the result, with the surrogates that are known marked where they stand. */
	#replaced(text, index) {
		const parts = [];
		let at = 0;
		for (const finding of this.#buckets[index]) {
			const wanted = finding.decision === "rejected" ? "" : finding.surrogate;
			const found = wanted ? text.indexOf(wanted, at) : -1;
			if (found < 0) continue;
			parts.push(text.slice(at, found),
				this.#dress(h("mark", { text: wanted, "data-id": finding.id, class: "new", title: `was: ${oneLine(finding.value)}` }), finding));
			at = found + wanted.length;
		}
		parts.push(text.slice(at));
		return parts;
	}
}

/** Some segments that are built together. */
class Chunk {
	filled = false;
	both = false; // whether the result stands beside the original

	constructor(view, from, to, characters) {
		this.view = view;
		this.from = from;
		this.to = to;
		this.element = h("div", { class: "chunk" });
		this.element.style.height = `${Math.round((to - from) * 12 + (characters / 70) * 24)}px`;
	}

	near() {
		this.fill(false);
	}

	far() {
		if (!this.filled) return;
		this.element.style.height = `${this.element.getBoundingClientRect().height}px`;
		this.element.replaceChildren();
		this.filled = false;
	}

	fill(again = true) {
		if (this.filled && !again) return;
		const rows = [];
		for (let index = this.from; index < this.to; index += 1) rows.push(this.view.row(index));
		this.element.replaceChildren(...rows);
		this.element.style.height = "";
		this.filled = true;
		this.both = this.view.viewer.mode !== "original";
	}
}

function cell(name, segment, words) {
	const labelled = segment.label ? [h("span", { class: "segment-label", text: segment.label })] : [];
	return h("div", { class: `cell ${name}` }, ...labelled, words);
}

/** For each segment the index of its twin in the result; where some are gone, by its place. */
function paired(segments, result) {
	const places = new Map(result.map(({ where }, index) => [where, index]));
	return segments.map(({ where }, index) => (segments.length === result.length ? index : places.get(where)));
}
