// Requests to the service: the token, problems in words, files to save.

import { $ } from "./dom.js";

const BASE = new URL("../api/v1/", import.meta.url);
let token = ""; // for as long as the page is open, and nowhere else
let asking = null;

/** What the service answered instead of what was asked for; `message` is for the user. */
export class Problem extends Error {
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

/** Send a request and return its response. Asks for a token where one is needed. */
export async function request(method, path, { json, body, signal } = {}) {
	for (;;) {
		const used = token;
		const headers = used ? { Authorization: `Bearer ${used}` } : {};
		if (json !== undefined) headers["Content-Type"] = "application/json";
		let response;
		try {
			response = await fetch(new URL(path, BASE), {
				method,
				headers,
				signal,
				body: json === undefined ? body : JSON.stringify(json),
				cache: "no-store",
				credentials: "same-origin",
				redirect: "error",
				referrerPolicy: "no-referrer",
			});
		} catch (error) {
			if (error.name === "AbortError") throw error;
			throw new Problem(0, "The service does not answer. Is it still running?");
		}
		if (response.status === 401) {
			if (used === token) await askForToken(used !== "");
			continue;
		}
		if (!response.ok) throw new Problem(response.status, await words(response));
		return response;
	}
}

export const get = async (path, options) => (await request("GET", path, options)).json();
export const send = async (method, path, json) => (await request(method, path, { json })).json();

/** Return a URL of the answer's bytes, for an image; the caller revokes it. */
export async function objectUrl(path, signal) {
	return URL.createObjectURL(await (await request("GET", path, { signal })).blob());
}

/** Hand the answer to the browser as a file, under the name that the service gives or *name*. */
export async function save(path, name) {
	const response = await request("GET", path);
	const url = URL.createObjectURL(await response.blob());
	const link = document.createElement("a");
	link.href = url;
	link.download = fileName(response.headers.get("Content-Disposition")) || name;
	document.body.append(link);
	link.click();
	link.remove();
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function fileName(disposition) {
	const coded = /filename\*=utf-8''([^;]+)/i.exec(disposition || "");
	const plain = /filename="?([^";]+)"?/i.exec(disposition || "");
	try {
		return coded ? decodeURIComponent(coded[1]) : plain ? plain[1] : "";
	} catch {
		return "";
	}
}

async function words(response) {
	try {
		const { error } = await response.json();
		if (typeof error === "string" && error) return error;
	} catch {
		// no JSON: what stands below is all there is to say
	}
	return `The service answered ${response.status}.`;
}

function askForToken(again) {
	asking ??= new Promise((resolve, reject) => {
		const dialog = $("token");
		const field = $("token-value");
		const done = (entered) => {
			asking = null;
			dialog.onclose = null;
			dialog.close();
			token = entered ?? token;
			field.value = "";
			if (entered) resolve();
			else reject(new Problem(401, "This service asks for a token."));
		};
		$("token-problem").hidden = !again;
		$("token-yes").onclick = () => done(field.value.trim());
		$("token-no").onclick = () => done(null);
		field.onkeydown = (event) => {
			if (event.key === "Enter") done(field.value.trim());
		};
		dialog.onclose = () => done(null);
		dialog.showModal();
		field.focus();
	});
	return asking;
}
