// Elements by id, new elements, and the status line.

/** Return the element with *id*. */
export const $ = (id) => document.getElementById(id);

/**
 * Return a new element. Of *props*, `text` becomes its text content, functions named `on…` listen,
 * and all others are attributes; null, undefined and false are left out.
 */
export function h(tag, props = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(props)) {
		if (value === null || value === undefined || value === false) continue;
		if (name === "text") element.textContent = value;
		else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
		else element.setAttribute(name, value === true ? "" : value);
	}
	element.append(...children);
	return element;
}

/** Return the icon *name* of index.html. */
export function icon(name) {
	const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
	const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
	use.setAttribute("href", `#i-${name}`);
	svg.setAttribute("aria-hidden", "true");
	svg.append(use);
	return svg;
}

/** Show *text* in the status line, which screen readers speak; *bad* marks a problem. */
export function say(text, bad = false) {
	const status = $("status");
	status.textContent = text;
	status.classList.toggle("bad", bad);
}

/** Set an element's text if it is another one: the live region stays quiet otherwise. */
export function setText(element, text) {
	if (element.textContent !== text) element.textContent = text;
}

/** Ask *title* with *text*; resolve to whether *yes* was chosen. */
export function ask(title, text, yes) {
	const dialog = $("ask");
	$("ask-title").textContent = title;
	$("ask-text").textContent = text;
	$("ask-yes").textContent = yes;
	return new Promise((resolve) => {
		const done = (answer) => () => {
			dialog.onclose = null;
			dialog.close();
			resolve(answer);
		};
		$("ask-yes").onclick = done(true);
		$("ask-no").onclick = done(false);
		dialog.onclose = done(false);
		dialog.showModal();
		$("ask-yes").focus();
	});
}
