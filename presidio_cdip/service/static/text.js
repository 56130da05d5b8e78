// Offsets and names: the service counts code points, JavaScript counts UTF-16 units.

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;
const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Return the number of code points of *text*. */
export function codePoints(text) {
	return PAIR.test(text) ? text.length - text.match(PAIRS).length : text.length;
}

/** Return the UTF-16 offsets of *points*, ascending offsets in code points of *text*. */
export function units(text, points) {
	if (!PAIR.test(text)) return points.map((point) => Math.min(point, text.length));
	const found = [];
	let unit = 0;
	let count = 0;
	for (const point of points) {
		while (count < point && unit < text.length) {
			unit += text.codePointAt(unit) > 0xffff ? 2 : 1;
			count += 1;
		}
		found.push(unit);
	}
	return found;
}

/**
 * Cut *text*, which begins at code point *start*, at its findings: a list of [text, finding or
 * null]. The findings are in ascending order; where two overlap, the first has the characters.
 */
export function pieces(text, start, findings) {
	const edges = [];
	const kept = [];
	let at = 0;
	for (const finding of findings) {
		const from = Math.max(at, finding.start - start);
		const to = finding.end - start;
		if (to <= from) continue;
		edges.push(from, to);
		kept.push(finding);
		at = to;
	}
	const cuts = units(text, edges);
	const parts = [];
	let done = 0;
	kept.forEach((finding, index) => {
		const [from, to] = [cuts[2 * index], cuts[2 * index + 1]];
		if (from > done) parts.push([text.slice(done, from), null]);
		if (to > from) parts.push([text.slice(from, to), finding]);
		done = Math.max(done, to);
	});
	if (done < text.length) parts.push([text.slice(done), null]);
	return parts;
}

const entities = new Map();

/** Take the names and colours of *all*, the entities of the service. */
export function learnEntities(all) {
	for (const one of all) entities.set(one.name, one);
}

/** Return the hue of an entity, in degrees. */
export const hue = (entity) => entities.get(entity)?.hue ?? 0;

/** Return an entity's name for people: "Date of birth" for DATE_OF_BIRTH. */
export const label = (entity) => entities.get(entity)?.label ?? entity;

/** Return *text* on one line. */
export const oneLine = (text) => text.replace(/\s+/g, " ").trim();

/** Return "1 finding" or "2 findings". */
export const plural = (count, one, many = `${one}s`) =>
	`${count.toLocaleString("en")} ${count === 1 ? one : many}`;
