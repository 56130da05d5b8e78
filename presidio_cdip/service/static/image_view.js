// A page or a picture: the image, and boxes over it in per cent of its size.

import { h } from "./dom.js";
import { hue, label, oneLine } from "./text.js";

const AGAIN = 400; // milliseconds after which an image that is not there yet is asked for again

export class ImageView {
	words = [];
	unread = [];
	#filled = false;
	#sheets = {}; // original and result: {element, boxes, image, url}
	#elements = new Map(); // id of a finding -> its boxes
	#tags = new Map(); // id of a finding -> where its label stands
	#stop = null;

	constructor(info, viewer) {
		this.info = info;
		this.viewer = viewer;
		this.number = info.number;
		this.pair = h("div", { class: "pair" });
		const natural = info.width < 500 ? Math.max(240, info.width * 1.2) : 980;
		this.pair.style.setProperty("--natural", `${natural}px`);
		this.pair.style.setProperty("--ratio", `${info.width} / ${info.height}`);
		this.element = h("section", { class: "view image", "data-view": info.number, "aria-label": info.title },
			h("h3", { class: "view-title", text: info.title }), this.pair);
		this.#sheet("original");
	}

	near() {
		if (this.#filled) return;
		this.#filled = true;
		this.#stop = new AbortController();
		this.#load("original");
		if (this.viewer.mode !== "original") this.#sheet("result");
		this.#drawAll();
		this.#loadWords();
	}

	far() {
		if (!this.#filled) return;
		this.#filled = false;
		this.#stop.abort();
		for (const sheet of Object.values(this.#sheets)) {
			sheet.image.removeAttribute("src");
			if (sheet.url) URL.revokeObjectURL(sheet.url);
			sheet.url = null;
			sheet.boxes.replaceChildren();
		}
		this.#elements.clear();
	}

	close() {
		this.far();
	}

	modeChanged() {
		if (this.viewer.mode !== "original") this.#sheet("result");
		this.findingsChanged();
	}

	resultChanged() {
		if (this.#filled && this.#sheets.result) this.#load("result");
	}

	ready() {
		if (this.#filled) this.#loadWords();
	}

	refresh(ids) {
		if (!this.#filled) return;
		for (const id of ids) if (this.#elements.has(id)) this.#draw(this.viewer.host.finding(id), id);
	}

	findingsChanged() {
		if (this.#filled) this.#drawAll();
	}

	sizeChanged() {
		this.findingsChanged();
	}

	/** Return an element where *finding* stands. */
	async place(finding) {
		if (this.#elements.has(finding.id)) return this.#visible(this.#elements.get(finding.id));
		const box = h("div", { class: "box" });
		position(box, finding.boxes[0] ?? [0, 0, 0, 0], this.info);
		const name = this.viewer.mode === "redacted" ? "result" : "original";
		this.#sheets[name].boxes.append(box);
		requestAnimationFrame(() => box.remove());
		return box;
	}

	blockAt() {
		return this.pair;
	}

	/** The element of the original that boxes are drawn on. */
	get surface() {
		return this.#sheets.original.element;
	}

	/** Return the indices of the words whose centre is in *box*, in the units of the view. */
	wordsIn([left, top, right, bottom]) {
		const inside = [];
		this.words.forEach(({ box }, index) => {
			const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
			if (x >= left && x <= right && y >= top && y <= bottom) inside.push(index);
		});
		return inside;
	}

	/** Return the point of a pointer *event*, in the units of the view, kept within the page. */
	point(event) {
		const rect = this.surface.getBoundingClientRect();
		const x = Math.max(0, Math.min(1, (event.clientX - rect.left) / rect.width));
		const y = Math.max(0, Math.min(1, (event.clientY - rect.top) / rect.height));
		return [x * this.info.width, y * this.info.height];
	}

	#visible(elements) {
		return elements.find((one) => one.getClientRects().length) ?? elements[0];
	}

	#sheet(name) {
		if (!this.#sheets[name]) {
			const image = h("img", { alt: `${this.info.title}, ${name === "result" ? "redacted" : "as it is"}`, draggable: "false" });
			image.decoding = "async";
			const boxes = h("div", { class: "boxes" });
			const element = h("div", { class: `sheet ${name}` },
				h("p", { class: "wait", text: name === "result" ? "The redacted page is not made yet." : "The page is being prepared." }),
				image, boxes);
			this.#sheets[name] = { element, image, boxes, url: null };
			this.pair.append(element);
		}
		if (name === "result" && this.#filled && !this.#sheets.result.url) this.#load("result");
	}

	async #load(name) {
		const { signal } = this.#stop;
		const sheet = this.#sheets[name];
		const { host } = this.viewer;
		if (name === "result" && !host.resultReady()) return;
		while (!signal.aborted) {
			try {
				const url = await host.image(this.number, name === "result", signal);
				if (signal.aborted) {
					URL.revokeObjectURL(url);
					return;
				}
				const old = sheet.url;
				sheet.url = url;
				sheet.image.src = url;
				if (old) URL.revokeObjectURL(old);
				return;
			} catch (problem) {
				if (signal.aborted || problem.name === "AbortError" || problem.status !== 404) return;
				await new Promise((resolve) => setTimeout(resolve, AGAIN));
			}
		}
	}

	async #loadWords() {
		if (this.words.length) return;
		const data = await this.viewer.host.view(this.number, false);
		if (!data) return;
		this.words = data.words;
		this.unread = data.unread;
		if (this.#filled) this.#drawAll();
	}

	#drawAll() {
		this.#elements.clear();
		this.#placeTags();
		const shown = Object.values(this.#sheets);
		for (const { boxes } of shown) {
			boxes.replaceChildren(...this.unread.map((area) => {
				const box = h("div", { class: "unread", title: "Not read" }, h("span", { class: "tag", text: "not read" }));
				position(box, area, this.info);
				return box;
			}));
		}
		for (const finding of this.viewer.host.findings(this.number)) this.#draw(finding, finding.id);
	}

	/** Choose for each label a place where it hides nothing; without one it shows on demand. */
	#placeTags() {
		const findings = this.viewer.host.findings(this.number).filter((one) => one.boxes.length);
		const { width, height } = this.info;
		const scale = width / (this.surface.clientWidth || width);
		const taken = [...this.words.map((one) => one.box), ...findings.flatMap((one) => one.boxes), ...this.unread];
		const isFree = ([left, top, right, bottom]) => left >= 0 && top >= 0 && right <= width && bottom <= height &&
			!taken.some((box) => box[0] < right && box[2] > left && box[1] < bottom && box[3] > top);
		for (const { id, entity, boxes: [[left, top, right, bottom]] } of findings) {
			const [wide, high, gap] = [(label(entity).length * 5.2 + 8) * scale, 12 * scale, 3 * scale];
			const places = {
				above: [left, top - high - gap, left + wide, top - gap],
				after: [right + gap, top, right + gap + wide, top + high],
				below: [left, bottom + gap, left + wide, bottom + high + gap],
			};
			const place = Object.keys(places).find((name) => isFree(places[name]));
			if (place) taken.push(places[place]);
			this.#tags.set(id, place ?? "tight");
		}
	}

	#draw(finding, id) {
		for (const old of this.#elements.get(id) ?? []) old.remove();
		this.#elements.delete(id);
		if (!finding || finding.view !== this.number) return;
		const made = [];
		for (const { boxes } of Object.values(this.#sheets)) {
			finding.boxes.forEach((area, index) => {
				const box = h("div", { class: `box ${finding.decision} ${this.#tags.get(id)}`, "data-id": id });
				if (id === this.viewer.host.selected()) box.classList.add("selected");
				box.title = `${label(finding.entity)}, ${finding.decision}: ${oneLine(finding.value)}`;
				box.style.setProperty("--h", hue(finding.entity));
				position(box, area, this.info);
				if (index === 0) box.append(h("span", { class: "tag", text: label(finding.entity) }));
				boxes.append(box);
				made.push(box);
			});
		}
		if (made.length) this.#elements.set(id, made);
	}
}

/** Put *element* over *box* of a view of that size. */
export function position(element, [left, top, right, bottom], { width, height }) {
	element.style.left = `${(100 * left) / width}%`;
	element.style.top = `${(100 * top) / height}%`;
	element.style.width = `${(100 * (right - left)) / width}%`;
	element.style.height = `${(100 * (bottom - top)) / height}%`;
}
