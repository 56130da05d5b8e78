// What the page knows: the documents, and the findings of the one that is open.

export const state = {
	options: null, // what the service offers
	documents: new Map(), // id -> the document as the service describes it
	files: new Map(), // id -> the file that was sent from here, to read it again
	sent: new Map(), // id -> the options it was sent with, as JSON
	current: null, // id of the open document
	findings: new Map(), // id -> finding, in the order of the document
	byView: new Map(), // number of a view -> its findings
	selected: null, // id of a finding
	loaded: false, // whether the findings of the open document are here
};

/** The open document, or undefined. */
export const current = () => state.documents.get(state.current);

/** The selected finding, or undefined. */
export const selected = () => state.findings.get(state.selected);

/** The path of the open document in the service, with *rest* behind it. */
export const path = (rest = "", id = state.current) => `documents/${encodeURIComponent(id)}${rest}`;

/** Whether the result of *document* is made, and nothing was decided since. */
export const isFresh = (document) =>
	document?.result?.state === "ready" && (document.result.version ?? document.version) === document.version;

/** Whether the result of *document* is being made. */
export const isMaking = (document) => ["waiting", "writing"].includes(document?.result?.state);

/** Whether *document* is still being read. */
export const isReading = (document) => ["waiting", "reading"].includes(document?.state);

/** What the result has instead of *finding*, in words; "…" while the service draws it. */
export function becomes({ decision, surrogate, unread, boxes }) {
	if (decision === "rejected") return "stays";
	const { method = "surrogate", policy } = current()?.options ?? {};
	return surrogate || (unread || policy === "redact" || (boxes.length && method !== "surrogate") ? "erased" : "…");
}
