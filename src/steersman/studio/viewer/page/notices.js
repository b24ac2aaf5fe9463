// Notices over the picture: one that passes, and those that stay for as long as they hold.

import { byId, html } from "./controls.js";

const SHOWN = 8000; // A passing notice is shown for so long [ms].

/** Notices that stay, by their subject: text, and how far something is (0 to 1). @type {Map<string, [string, number | null]>} */
const held = new Map();
let passing = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let ending = undefined;

/**
 * Show a notice for a while.
 * @param {string} [text]
 */
export function notice(text = "") {
  passing = text;
  draw();
  clearTimeout(ending);
  if (passing) ending = setTimeout(notice, SHOWN);
}

/**
 * Show a notice until it holds no more.
 * @param {string} subject
 * @param {string} text "" when it holds no more
 * @param {number | null} [part] how far something is, shown by a bar
 */
export function hold(subject, text, part = null) {
  if (text) held.set(subject, [text, part]);
  else if (!held.delete(subject)) return;
  draw();
}

function draw() {
  const box = byId("notice");
  const lines = [...held.values(), ...(passing ? [/** @type {[string, null]} */ ([passing, null])] : [])];
  box.hidden = lines.length === 0;
  box.classList.toggle("calm", !passing && !held.has("trouble") && !held.has("connection"));
  box.replaceChildren(
    ...lines.map(([text, part]) => {
      const bar = part === null ? [] : [html("progress", { max: 1, value: part, ariaLabel: text })];
      return html("div", {}, text, ...bar);
    }),
  );
}
