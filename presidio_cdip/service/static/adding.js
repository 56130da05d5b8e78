// Findings that the reviewer adds: by mouse, or word by word with the keys.

import { h, say } from "./dom.js";
import { position } from "./image_view.js";
import * as picker from "./picker.js";
import { codePoints, oneLine } from "./text.js";

const DRAG = 5; // pixels of movement that make a press a drag
const STEP = 0.01; // of the width: how far an arrow key moves a free box
const WORD = /[\p{L}\p{N}_]+(?:[’'.@/-][\p{L}\p{N}_]+)*|[^\s\p{L}\p{N}_]+/gu;
const HELP = "arrow keys go from word to word, Shift takes more";
const HELP_BOX = "arrow keys move the box, Shift changes its size";

/** host: viewer, canAdd(), add(what, words) which sends it, selected() finding or undefined. */
export class Adding {
	#cursor = null; // ImageCursor or TextCursor while adding by keys
	#drag = null;
	#armed = false; // the next drag draws, also by touch
	#suppressed = false; // the click at the end of a drag
	#pressed = false; // a selection is offered when the mouse is let go
	#timer = 0;

	constructor(scroller, button, host) {
		this.scroller = scroller;
		this.button = button;
		this.host = host;
		scroller.addEventListener("pointerdown", (event) => this.#down(event));
		scroller.addEventListener("pointermove", (event) => this.#move(event));
		scroller.addEventListener("pointerup", (event) => this.#up(event));
		scroller.addEventListener("pointercancel", () => this.#dropDrag());
		scroller.addEventListener("click", (event) => {
			if (!this.#suppressed) return;
			this.#suppressed = false;
			event.stopImmediatePropagation();
		}, true);
		document.addEventListener("selectionchange", () => this.#selecting());
		for (const kind of ["pointerdown", "pointerup", "pointercancel"]) {
			document.addEventListener(kind, () => {
				this.#pressed = kind === "pointerdown";
				this.#selecting();
			}, true);
		}
	}

	get active() {
		return this.#cursor !== null || this.#armed;
	}

	/** Start adding in the view that is read, with a cursor that the keys move. */
	async start() {
		const { viewer } = this.host;
		const view = viewer.views.get(viewer.current ?? viewer.numbers[0]);
		if (!this.host.canAdd() || !view) return;
		this.stop();
		this.#armed = true;
		this.button.setAttribute("aria-pressed", "true");
		document.body.classList.add("adding");
		this.scroller.focus({ preventScroll: true });
		const after = this.host.selected();
		this.#cursor = view.surface ? new ImageCursor(view, after) : await TextCursor.at(view, after, this.scroller);
		if (!this.#cursor) {
			this.stop();
			return;
		}
		this.host.viewer.show(this.#cursor.rect());
		say(`Adding: ${this.#cursor.free ? HELP_BOX : HELP}, Enter adds, Escape stops. Or draw with the mouse.`);
	}

	/** Stop adding; nothing is added. */
	stop() {
		if (!this.active) return;
		this.#cursor?.close();
		this.#cursor = null;
		this.#armed = false;
		this.button.setAttribute("aria-pressed", "false");
		document.body.classList.remove("adding");
		say("");
	}

	/** Handle a key while adding; return whether it was one of ours. */
	key(event) {
		if (!this.#cursor || event.ctrlKey || event.metaKey) return false;
		if (event.key === "Enter") {
			this.#offer(this.#cursor.what(), this.#cursor.rect());
			return true;
		}
		const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
		if (!(event.key in ways)) return false;
		this.#cursor.move(...ways[event.key], event.shiftKey, event.altKey);
		this.#follow();
		return true;
	}

	#follow() {
		this.host.viewer.show(this.#cursor.rect());
		say(this.#cursor.what().words);
	}

	#offer(what, rect) {
		picker.open({
			rect,
			title: "Add as",
			quote: oneLine(what.words) || "An area without text: it will be erased.",
			canEverywhere: Boolean(what.span),
			choose: (entity, everywhere) => {
				const place = what.box && !everywhere ? { view: what.view, box: what.box } : what.span;
				this.host.add({ ...place, entity, ...(everywhere ? { everywhere } : {}) });
				this.stop();
			},
			closed: () => {
				this.#dropDrag();
				if (this.#cursor) this.scroller.focus({ preventScroll: true });
				else {
					highlight(null);
					getSelection().removeAllRanges();
				}
			},
		});
	}

	// Boxes on images

	#down(event) {
		this.#suppressed = false;
		const sheet = event.target.closest?.(".sheet.original");
		if (!sheet || event.button || !this.host.canAdd()) return;
		if (event.pointerType === "touch" && !this.#armed) return; // a finger scrolls
		const view = this.host.viewer.views.get(Number(sheet.closest(".view").dataset.view));
		this.#drag = { view, from: view.point(event), x: event.clientX, y: event.clientY, id: event.pointerId };
		if (event.pointerType === "touch") event.preventDefault();
	}

	#move(event) {
		const drag = this.#drag;
		if (!drag || event.pointerId !== drag.id || drag.done) return;
		if (!drag.element) {
			if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG) return;
			drag.element = h("div", { class: "drawing" });
			drag.view.surface.append(drag.element);
			this.scroller.setPointerCapture(event.pointerId);
		}
		const [x, y] = drag.view.point(event);
		const [fromX, fromY] = drag.from;
		drag.box = [Math.min(x, fromX), Math.min(y, fromY), Math.max(x, fromX), Math.max(y, fromY)];
		position(drag.element, drag.box, drag.view.info);
	}

	#up(event) {
		const drag = this.#drag;
		if (!drag || event.pointerId !== drag.id) return;
		if (!drag.box) {
			this.#drag = null;
			return;
		}
		drag.done = true;
		this.#suppressed = true;
		this.#cursor?.close();
		this.#cursor = null;
		this.#offer(boxed(drag.view, drag.box), drag.element.getBoundingClientRect());
	}

	#dropDrag() {
		this.#drag?.element?.remove();
		this.#drag = null;
	}

	// Selected text

	#selecting() {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#selected(), 250);
	}

	/** Offer what is selected, once the selection rests. */
	#selected() {
		const selection = getSelection();
		if (selection.type !== "Range" || this.#pressed || this.#cursor || picker.isOpen() || !this.host.canAdd()) return;
		const range = selection.getRangeAt(0);
		const what = spanned(this.host.viewer, range);
		if (!what) return;
		highlight(range);
		this.#offer(what, range.getBoundingClientRect());
	}
}

/** What a *box* drawn on *view* stands for: its words if they follow each other, and the box. */
function boxed(view, box) {
	const inside = view.wordsIn(box);
	const follow = inside.length && inside.at(-1) - inside[0] + 1 === inside.length;
	const words = inside.map((index) => view.words[index]);
	return {
		view: view.number,
		box: box.map((side) => Math.round(side * 100) / 100),
		words: words.map((one) => one.text).join(" "),
		span: follow ? { view: view.number, start: words[0].start, end: words.at(-1).end } : null,
	};
}

/** What *parts* of a text view stand for: [segment, from, to], in UTF-16 units. */
function taken(view, parts) {
	const point = (index, unit) => view.segments[index].start + codePoints(view.segments[index].text.slice(0, unit));
	const [first, last] = [parts[0], parts.at(-1)];
	return {
		words: parts.map(([index, from, to]) => view.segments[index].text.slice(from, to)).join(" "),
		span: { view: view.number, start: point(first[0], first[1]), end: point(last[0], last[2]) },
	};
}

/** What *range* stands for: the text of originals in it, in the first view it touches; or null. */
function spanned(viewer, range) {
	for (const view of viewer.views.values()) {
		if (view.surface || !range.intersectsNode(view.body)) continue;
		const parts = [];
		for (const cell of view.body.querySelectorAll(".original .words")) {
			if (!range.intersectsNode(cell)) continue;
			const index = Number(cell.dataset.segment);
			const { text } = view.segments[index];
			const from = cell.contains(range.startContainer) ? unitOf(cell, range.startContainer, range.startOffset) : 0;
			const to = cell.contains(range.endContainer) ? unitOf(cell, range.endContainer, range.endOffset) : text.length;
			const words = text.slice(from, to);
			const blank = words.length - words.trimStart().length; // white space at the ends is left out
			if (words.trim()) parts.push([index, from + blank, from + blank + words.trim().length]);
		}
		if (parts.length) return taken(view, parts);
	}
	return null;
}

/** The UTF-16 offset of a place in the DOM in the text of *element*. */
function unitOf(element, node, at) {
	const before = document.createRange();
	before.setStart(element, 0);
	before.setEnd(node, at);
	return before.toString().length;
}

/** The range from one UTF-16 offset to another in the text of *element*. */
function rangeOf(element, from, to) {
	const range = document.createRange();
	const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
	let done = 0;
	let started = false;
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const { length } = node.data;
		if (!started && from < done + length) {
			range.setStart(node, from - done);
			started = true;
		}
		if (started && to <= done + length) {
			range.setEnd(node, to - done);
			break;
		}
		done += length;
	}
	return range;
}

/** Show *range* as chosen, also while the focus is elsewhere; without one, show none. */
function highlight(range) {
	CSS.highlights.clear();
	if (range) CSS.highlights.set("adding", new Highlight(range));
}

/** The candidate nearest to *rect* in direction *dy* (-1 up, 1 down), or null. */
function nearest(rect, candidates, dy) {
	const middle = ([left, top, right, bottom]) => [(left + right) / 2, (top + bottom) / 2];
	const [x, y] = middle(rect);
	let best = null;
	let least = Infinity;
	for (const candidate of candidates) {
		const [cx, cy] = middle(candidate.box);
		const away = (cy - y) * dy;
		if (away < (rect[3] - rect[1]) * 0.5) continue;
		const cost = away * 3 + Math.abs(cx - x);
		if (cost < least) [best, least] = [candidate, cost];
	}
	return best;
}

/** Some words of a page, or a box, that the arrow keys move. */
class ImageCursor {
	constructor(view, after) {
		this.view = view;
		this.element = h("div", { class: "drawing cursor" });
		this.element.append(h("span", { class: "tag", text: "add" }));
		view.surface.append(this.element);
		this.free = !view.words.length;
		const { width, height } = view.info;
		if (this.free) {
			const seen = this.#seen();
			this.box = [width * 0.4, seen - height * 0.02, width * 0.6, seen + height * 0.02];
		} else {
			const next = view.words.findIndex((one) => after && after.view === view.number && one.start >= after.end);
			const below = view.words.findIndex((one) => one.box[1] >= this.#seen());
			this.first = this.last = next >= 0 ? next : Math.max(0, below);
		}
		this.#draw();
	}

	/** The height of the page that is a third below the top of the screen. */
	#seen() {
		const page = this.view.surface.getBoundingClientRect();
		const seen = this.view.viewer.scroller.getBoundingClientRect();
		const share = (seen.top + seen.height / 3 - page.top) / page.height;
		return Math.max(0.05, Math.min(0.95, share)) * this.view.info.height;
	}

	move(dx, dy, more, fine) {
		if (fine && !this.free) {
			this.box = [...this.#union()];
			this.free = true;
		}
		if (this.free) this.#moveBox(dx, dy, more);
		else this.#moveWord(dx, dy, more);
		this.#draw();
	}

	#moveBox(dx, dy, more) {
		const { width, height } = this.view.info;
		const step = STEP * width;
		let [left, top, right, bottom] = this.box;
		if (!more) [left, top] = [left + dx * step, top + dy * step];
		[right, bottom] = [right + dx * step, bottom + dy * step];
		if (left < 0 || top < 0 || right > width || bottom > height) return;
		if (right - left < step / 2 || bottom - top < step / 2) return;
		this.box = [left, top, right, bottom];
	}

	#moveWord(dx, dy, more) {
		const { words } = this.view;
		const from = more ? this.last : dx + dy > 0 ? Math.max(this.first, this.last) : Math.min(this.first, this.last);
		let to = Math.max(0, Math.min(words.length - 1, from + dx));
		if (dy) {
			const found = nearest(words[from].box, words.map(({ box }, index) => ({ box, index })), dy);
			to = found ? found.index : from;
		}
		this.last = to;
		if (!more) this.first = to;
	}

	#union() {
		if (this.free) return this.box;
		const sides = (side) => this.#chosen().map(({ box }) => box[side]);
		return [Math.min(...sides(0)), Math.min(...sides(1)), Math.max(...sides(2)), Math.max(...sides(3))];
	}

	#draw() {
		position(this.element, this.#union(), this.view.info);
	}

	rect() {
		return this.element.getBoundingClientRect();
	}

	#chosen() {
		return this.view.words.slice(Math.min(this.first, this.last), Math.max(this.first, this.last) + 1);
	}

	what() {
		if (this.free) return boxed(this.view, this.box);
		const words = this.#chosen();
		return {
			words: words.map((one) => one.text).join(" "),
			span: { view: this.view.number, start: words[0].start, end: words.at(-1).end },
		};
	}

	close() {
		this.element.remove();
	}
}

/** Some words of a text, that the arrow keys move; Alt moves the end by a character. */
class TextCursor {
	free = false;

	/** Return a cursor at the words after *after*, or at the first that can be seen; or null. */
	static async at(view, after, scroller) {
		const top = scroller.getBoundingClientRect().top;
		const seen = [...view.body.querySelectorAll(".original .words")]
			.find((one) => one.getBoundingClientRect().bottom > top + 8 && one.textContent.trim());
		let index = seen ? Number(seen.dataset.segment) : -1;
		let unit = 0;
		const mark = after?.view === view.number && view.body.querySelector(`.original mark[data-id="${CSS.escape(after.id)}"]`);
		if (mark) {
			const words = mark.closest(".words");
			index = Number(words.dataset.segment);
			unit = unitOf(words, mark, mark.childNodes.length);
		}
		if (index < 0) return null;
		const cursor = new TextCursor(view);
		const found = cursor.#wordsOf(index).find((one) => one.from >= unit) ?? cursor.#step({ index, from: unit, to: unit }, 1);
		if (!found) return null;
		cursor.first = cursor.last = found;
		cursor.#draw();
		return cursor;
	}

	constructor(view) {
		this.view = view;
	}

	#wordsOf(index) {
		const text = this.view.segments[index]?.text ?? "";
		return [...text.matchAll(WORD)].map((one) => ({ index, from: one.index, to: one.index + one[0].length }));
	}

	/** The word before or after *word*, in its segment or the next one that has words; or null. */
	#step(word, way) {
		const own = this.#wordsOf(word.index);
		const near = way > 0 ? own.find((one) => one.from >= word.to) : own.findLast((one) => one.to <= word.from);
		if (near) return near;
		for (let at = word.index + way; at >= 0 && at < this.view.segments.length; at += way) {
			const words = this.#wordsOf(at);
			if (words.length) return words.at(way > 0 ? 0 : -1);
		}
		return null;
	}

	move(dx, dy, more, fine) {
		const [start, end] = this.#ordered();
		if (fine && dx) {
			const { text } = this.view.segments[end.index];
			let to = Math.min(text.length, end.to + dx);
			if (/[\udc00-\udfff]/.test(text[to] ?? "")) to += dx; // not between the halves of a character
			if (end.index !== start.index || to > start.from) {
				this.first = start;
				this.last = { ...end, from: Math.min(end.from, to - 1), to };
			}
		} else {
			const from = more ? this.last : dx + dy > 0 ? end : start;
			const to = (dy ? this.#line(from, dy) : this.#step(from, dx)) ?? from;
			this.last = to;
			if (!more) this.first = to;
		}
		this.#draw();
	}

	#line(from, dy) {
		const box = ({ index, from: begin, to }) => {
			const rect = rangeOf(this.view.cell(index), begin, to).getBoundingClientRect();
			return [rect.left, rect.top, rect.right, rect.bottom];
		};
		for (let at = from.index; at >= 0 && at < this.view.segments.length; at += dy) {
			const found = nearest(box(from), this.#wordsOf(at).map((one) => ({ ...one, box: box(one) })), dy);
			if (found) return { index: found.index, from: found.from, to: found.to };
		}
		return null;
	}

	#ordered() {
		const [a, b] = [this.first, this.last];
		return a.index < b.index || (a.index === b.index && a.from <= b.from) ? [a, b] : [b, a];
	}

	#range() {
		const [start, end] = this.#ordered();
		const range = rangeOf(this.view.cell(start.index), start.from, start.to);
		const last = rangeOf(this.view.cell(end.index), end.from, end.to);
		range.setEnd(last.endContainer, last.endOffset);
		return range;
	}

	#draw() {
		highlight(this.#range());
	}

	rect() {
		return this.#range().getBoundingClientRect();
	}

	what() {
		const [start, end] = this.#ordered();
		const parts = [];
		for (let index = start.index; index <= end.index; index += 1) {
			const { length } = this.view.segments[index].text;
			parts.push([index, index === start.index ? start.from : 0, index === end.index ? end.to : length]);
		}
		return taken(this.view, parts);
	}

	close() {
		highlight(null);
	}
}
