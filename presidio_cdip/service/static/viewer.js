// The document in the middle: its views one below the other, filled only near the screen.

import { ImageView } from "./image_view.js";
import { TextView } from "./text_view.js";

/**
 * host: image(n, result, signal) and view(n, result) load; findings(n) and finding(id) look up;
 * selected() is the id of the selected finding; select(id), page(n) are called when it changes;
 * resultReady() says whether there is a result to show.
 */
export class Viewer {
	views = new Map();
	mode = "original";
	zoom = 1;
	#blocks = new WeakMap();
	#frame = 0;
	#current = null;

	constructor(scroller, host) {
		this.scroller = scroller;
		this.host = host;
		this.#observer = new IntersectionObserver(
			(entries) => {
				for (const entry of entries) {
					const block = this.#blocks.get(entry.target);
					if (entry.isIntersecting) block?.near();
					else block?.far();
				}
			},
			{ root: scroller, rootMargin: "700px 0px" },
		);
		scroller.addEventListener("scroll", () => this.#later(), { passive: true });
		scroller.addEventListener("click", (event) => {
			const id = event.target.closest("[data-id]")?.dataset.id;
			if (id && !(getSelection().type === "Range")) host.select(id);
		});
	}

	#observer;

	/** Tell *block* (with near() and far()) when *element* comes near the screen, or leaves. */
	watch(element, block) {
		this.#blocks.set(element, block);
		this.#observer.observe(element);
	}

	/** Forget *element*, which is no longer in the document. */
	forget(element) {
		this.#observer.unobserve(element);
	}

	/** Show nothing, as for a document that has no views yet. */
	clear() {
		for (const view of this.views.values()) view.close();
		this.views.clear();
		this.#observer.disconnect();
		this.scroller.replaceChildren();
		this.scroller.scrollTop = 0;
		this.#current = null;
	}

	/** Add the *views* that are not shown yet: pages arrive while a document is read. */
	update(views) {
		for (const info of views) {
			if (this.views.has(info.number)) continue;
			const view = info.kind === "image" ? new ImageView(info, this) : new TextView(info, this);
			this.views.set(info.number, view);
			this.scroller.append(view.element);
			this.watch(view.element, view);
		}
		this.#later();
	}

	get numbers() {
		return [...this.views.keys()];
	}

	/** The number of the view that is read: the one a third below the top; null if there is none. */
	get current() {
		const line = this.scroller.getBoundingClientRect().top + this.scroller.clientHeight / 3;
		const numbers = this.numbers;
		let [low, high] = [0, numbers.length - 1];
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (this.views.get(numbers[middle]).element.getBoundingClientRect().top <= line) low = middle;
			else high = middle - 1;
		}
		return numbers[low] ?? null;
	}

	/** Scroll to the top of view *number*. */
	goTo(number) {
		const view = this.views.get(number);
		if (!view) return;
		const top = view.element.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top;
		this.scroller.scrollTop += top - 8;
	}

	/** Show the original, the result, or both; what is read stays where it is. */
	setMode(mode) {
		if (mode === this.mode) return;
		const anchor = this.#anchor();
		this.mode = mode;
		document.body.dataset.mode = mode;
		for (const view of this.views.values()) view.modeChanged();
		this.#restore(anchor);
	}

	setZoom(zoom) {
		const anchor = this.#anchor();
		this.zoom = Math.max(0.5, Math.min(4, zoom));
		this.scroller.style.setProperty("--zoom", this.zoom);
		for (const view of this.views.values()) view.sizeChanged?.();
		this.#restore(anchor);
	}

	/** Load the result again where it is shown: there is a new one, or the first. */
	resultChanged() {
		for (const view of this.views.values()) view.resultChanged();
	}

	/** The document has been read: what was waiting for it may load now. */
	ready() {
		for (const view of this.views.values()) view.ready();
	}

	/**
   * Draw findings again. *ids* changed as they stand; of the views *numbers*, findings came or
   * went. Only what is near the screen is touched.
   */
	refresh(ids, numbers = new Set()) {
		for (const [number, view] of this.views) {
			if (numbers.has(number)) view.findingsChanged(ids);
			else view.refresh(ids);
		}
	}

	/** Mark *id* as the selected finding instead of *before*, without moving. */
	mark(id, before) {
		this.refresh(new Set([id, before].filter(Boolean)));
	}

	/** Bring finding *id* into view. Resolves when it is there. */
	async reveal(id) {
		const finding = this.host.finding(id);
		const view = finding && this.views.get(finding.view);
		const element = await view?.place(finding);
		if (element && this.host.selected() === id) this.show(element.getBoundingClientRect());
	}

	/** Scroll so that *rect*, in pixels of the window, is well in view. */
	show(rect) {
		const seen = this.scroller.getBoundingClientRect();
		const edge = Math.min(80, seen.height / 5);
		if (rect.top < seen.top + edge || rect.bottom > seen.bottom - edge) {
			this.scroller.scrollTop += rect.top - seen.top - seen.height * 0.35;
		}
		if (rect.left < seen.left || rect.right > seen.right) {
			this.scroller.scrollLeft += rect.left - seen.left - 40;
		}
	}

	#later() {
		this.#frame ||= requestAnimationFrame(() => {
			this.#frame = 0;
			const { current } = this;
			if (current === this.#current) return;
			this.#current = current;
			this.host.page(current);
		});
	}

	#anchor() {
		const { top, height } = this.scroller.getBoundingClientRect();
		const line = top + height / 3;
		const view = this.views.get(this.current);
		const element = view?.blockAt(line);
		if (!element) return null;
		const rect = element.getBoundingClientRect();
		return { element, share: (line - rect.top) / Math.max(1, rect.height), line };
	}

	#restore(anchor) {
		if (!anchor?.element.isConnected) return;
		const rect = anchor.element.getBoundingClientRect();
		this.scroller.scrollTop += rect.top + anchor.share * rect.height - anchor.line;
	}
}
