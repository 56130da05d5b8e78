// The list of findings: a grid whose rows exist only near what is on screen.

import { h, icon } from "./dom.js";
import { becomes } from "./state.js";
import { hue, label, oneLine, plural } from "./text.js";

const ROW = 50; // pixels, as in style.css
const GROUP = 32;
const AROUND = 6; // rows kept above and below what is seen
const UNSURE = 0.6; // a finding with a lower score is called unsure

const STATES = { open: "open", accepted: "check", rejected: "cross" };
const WORDS = { open: "open", accepted: "accepted", rejected: "rejected" };

/** Rows are {group, ids, open} or {id}; `finding(id)` gives the finding of a row. */
export class FindingsList {
	#box;
	#inner = h("div", { class: "rows", role: "rowgroup" });
	#rows = [];
	#tops = [0];
	#index = new Map(); // id of a finding -> index of its row
	#ordinal = new Map(); // id of a finding -> its place among the findings, from 1
	#shown = new Map(); // key of a row -> its element
	#selected = null;
	#grouped = false;
	#frame = 0;

	constructor(box, { finding, select, decide, acceptGroup }) {
		this.#box = box;
		this.finding = finding;
		this.handlers = { select, decide, acceptGroup };
		box.append(this.#inner);
		box.addEventListener("scroll", () => this.#later(), { passive: true });
		new ResizeObserver(() => this.#later()).observe(box);
		this.#inner.addEventListener("click", (event) => this.#click(event));
	}

	/** The ids of all findings in the order of the list. */
	get ids() {
		return this.#rows.filter((row) => row.id).map((row) => row.id);
	}

	/** The number of findings in the list. */
	get count() {
		return this.#index.size;
	}

	has(id) {
		return this.#index.has(id);
	}

	/** Return the id *step* findings after (or before) *id*, or null. */
	neighbour(id, step) {
		let at = this.#index.get(id) ?? (step > 0 ? -1 : this.#rows.length);
		do at += step;
		while (this.#rows[at] && !this.#rows[at].id);
		return this.#rows[at]?.id ?? null;
	}

	/** Return the next open finding after *id* in the list, from the top again at its end. */
	nextOpen(id) {
		const from = this.#index.get(id) ?? -1;
		const count = this.#rows.length;
		for (let step = 1; step <= count; step += 1) {
			const row = this.#rows[(from + step + count) % count];
			if (row.id && row.id !== id && this.finding(row.id).decision === "open") return row.id;
		}
		return null;
	}

	/** The place of *id* among the findings, from 1; 0 if it is not in the list. */
	position(id) {
		return this.#ordinal.get(id) ?? 0;
	}

	/** Show *rows*; elements of rows that stay are kept. */
	show(rows, grouped) {
		this.#rows = rows;
		this.#grouped = grouped;
		this.#index.clear();
		this.#ordinal.clear();
		this.#tops = [0];
		rows.forEach((row, at) => {
			if (row.id) {
				this.#index.set(row.id, at);
				this.#ordinal.set(row.id, this.#index.size);
			}
			this.#tops.push(this.#tops[at] + (row.id ? ROW : GROUP));
		});
		this.#inner.style.height = `${this.#tops.at(-1)}px`;
		this.#box.hidden = !rows.length;
		this.#box.setAttribute("aria-rowcount", rows.length);
		this.#draw();
	}

	/** Mark *id* as selected, bring it into view and, with *focus*, put the focus on it. */
	select(id, focus) {
		this.#selected = id;
		const at = this.#index.get(id);
		if (at !== undefined) {
			const top = this.#tops[at];
			const view = this.#box.clientHeight;
			const around = Math.min(ROW + GROUP, view / 4); // so that the neighbours are seen, too
			if (top - around < this.#box.scrollTop) this.#box.scrollTop = top - around;
			else if (top + ROW + around > this.#box.scrollTop + view) this.#box.scrollTop = top + ROW + around - view;
		}
		this.#draw();
		if (focus) this.focus();
	}

	/** Put the focus on the selected row, or on the list. */
	focus() {
		const row = this.#shown.get(this.#selected);
		if (row) row.focus({ preventScroll: true });
	}

	#later() {
		this.#frame ||= requestAnimationFrame(() => {
			this.#frame = 0;
			this.#draw();
		});
	}

	#draw() {
		const top = this.#box.scrollTop;
		const first = Math.max(0, this.#at(top) - AROUND);
		const last = Math.min(this.#rows.length - 1, this.#at(top + this.#box.clientHeight) + AROUND);
		const wanted = new Set();
		const selected = this.#index.get(this.#selected);
		const focusable = selected ?? this.#rows.findIndex((row) => row.id);
		for (let at = first; at <= last; at += 1) wanted.add(at);
		if (focusable >= 0) wanted.add(focusable); // so that the focus is never lost
		const keys = new Set([...wanted].map((at) => keyOf(this.#rows[at])));
		for (const [key, element] of this.#shown) {
			if (keys.has(key)) continue;
			element.remove();
			this.#shown.delete(key);
		}
		const focused = this.#inner.contains(document.activeElement) ? document.activeElement : null;
		let before = this.#inner.firstChild;
		for (const at of [...wanted].sort((a, b) => a - b)) {
			const row = this.#rows[at];
			const key = keyOf(row);
			let element = this.#shown.get(key);
			if (!element) {
				element = row.id ? this.#findingRow(row) : this.#groupRow(row);
				this.#shown.set(key, element);
			}
			if (element === before) before = before.nextSibling;
			else this.#inner.insertBefore(element, before);
			if (row.id) this.#fillFinding(element, this.finding(row.id), at === selected);
			else this.#fillGroup(element, row);
			element.style.transform = `translateY(${this.#tops[at]}px)`;
			element.setAttribute("aria-rowindex", at + 1);
			if (row.id) element.tabIndex = at === focusable ? 0 : -1;
		}
		if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
	}

	#at(top) {
		let [low, high] = [0, this.#rows.length - 1];
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (this.#tops[middle] <= top) low = middle;
			else high = middle - 1;
		}
		return low;
	}

	#findingRow(row) {
		const button = (what, text) => {
			const made = h("button", {
				class: `icon ${what}`, tabindex: "-1", title: text, "data-do": what,
			});
			made.append(icon(STATES[what]));
			return made;
		};
		return h("div", { role: "row", class: "row", "data-id": row.id },
			h("span", { role: "gridcell", class: "state" }),
			h("span", { role: "gridcell", class: "main" },
				h("span", { class: "what" }), h("span", { class: "becomes" })),
			h("span", { role: "gridcell", class: "meta" }, h("span", { class: "score" }), h("span", { class: "page" })),
			h("span", { role: "gridcell", class: "do" },
				button("accepted", "Accept"), button("rejected", "Reject")));
	}

	#fillFinding(element, finding, selected) {
		const signature = [
			finding.decision, finding.entity, finding.value, finding.surrogate, finding.score,
			finding.view, this.#grouped, finding.place,
		].join("\n");
		if (element.ariaSelected !== `${selected}`) element.ariaSelected = `${selected}`;
		if (element.signature === signature) return;
		element.signature = signature;
		element.className = `row ${finding.decision}`;
		element.style.setProperty("--h", hue(finding.entity));
		const [state, main, meta, actions] = element.children;
		state.replaceChildren(icon(STATES[finding.decision]),
			h("span", { class: "hidden", text: WORDS[finding.decision] }));
		const text = oneLine(finding.value) || "Area without text";
		main.children[0].textContent = text;
		main.children[0].title = text;
			main.children[1].replaceChildren(
			this.#grouped ? h("span", { class: "hidden", text: label(finding.entity) })
				: h("span", { class: "entity", text: label(finding.entity) }),
			...(finding.decision === "rejected" ? [] : [h("span", { class: "arrow", "aria-hidden": "true", text: "→" })]),
			h("span", { class: "new", text: oneLine(becomes(finding)) }));
		const unsure = finding.by === "found" && finding.score < UNSURE;
		meta.classList.toggle("unsure", unsure);
		meta.children[0].textContent =
			finding.by === "reviewer" ? "yours" : `${unsure ? "unsure " : ""}${finding.score.toFixed(2)}`;
		meta.children[1].textContent = finding.place;
		actions.children[0].setAttribute("aria-label", `Accept ${text}`);
		actions.children[1].setAttribute("aria-label", `Reject ${text}`);
	}

	#groupRow(row) {
		return h("div", { role: "row", class: "group", "data-group": row.group },
			h("span", { role: "gridcell" }, h("span", { class: "swatch", "aria-hidden": "true" }),
				h("span", { class: "name", text: label(row.group) }), h("span", { class: "many" })),
			h("span", { role: "gridcell" },
				h("button", { class: "small", tabindex: "-1", "data-do": "group" })));
	}

	#fillGroup(element, row) {
		const signature = `${row.ids.length} ${row.open}`;
		if (element.signature === signature) return;
		element.signature = signature;
		element.style.setProperty("--h", hue(row.group));
		element.querySelector(".many").textContent = row.ids.length;
		const button = element.querySelector("button");
		button.hidden = !row.open;
		button.textContent = `Accept ${row.open}`;
		button.setAttribute("aria-label", `Accept ${plural(row.open, "open finding")}: ${label(row.group)}`);
	}

	#click(event) {
		const doing = event.target.closest("[data-do]")?.dataset.do;
		const row = event.target.closest(".row");
		if (doing === "group") this.handlers.acceptGroup(event.target.closest(".group").dataset.group);
		else if (row && doing) this.handlers.decide(row.dataset.id, doing);
		else if (row) this.handlers.select(row.dataset.id);
	}
}

const keyOf = (row) => row.id ?? `group ${row.group}`;
