// The list of an explanation: its parts with their forces as bars. A click on a part shows all of its construction.

import { decider } from "./acting.js";
import { button, html, short } from "./controls.js";

/** @typedef {import("./why.js").Explanation} Explanation */
/** @typedef {import("./why.js").WhyNode} WhyNode */
/** @typedef {import("./why.js").Change} Change */
/** @typedef {{line: HTMLElement, button: HTMLElement, force: HTMLElement, bar: HTMLElement, parts: HTMLElement[], change: HTMLElement}} Row */

export const PICK = "Show the whole construction of this part in the picture; once more: of those that act";

export class Shares {
  /** @param {(key: number) => void} pick called when a part is clicked */
  constructor(pick) {
    this.pick = pick;
    this.list = html("ul", { className: "why" });
    this.key = html(
      "div",
      { className: "meanings" },
      html("span", {}, html("i", { className: "swatch asked" }), "pale: asked for"),
      html("span", {}, html("i", { className: "swatch granted" }), "full: granted"),
    );
    this.inside = html("div", {}, this.list, this.key);
    /** What the lines are of. */
    this.shape = "";
    /** @type {Row[]} */
    this.rows = [];
  }

  /**
   * Lines that are there stay: a button that is made anew between press and release hears of no click.
   * @param {Explanation} explanation
   * @param {{full: number, beside: number, quiet: number, picked: number | null}} about
   */
  show(explanation, about) {
    const { tree } = explanation;
    if (!tree) {
      this.list.replaceChildren();
      [this.shape, this.rows, this.key.hidden] = ["", [], true];
      return;
    }
    const shape = JSON.stringify(shapeOf(tree));
    if (shape !== this.shape) {
      [this.shape, this.rows] = [shape, []];
      this.list.replaceChildren(this.made(tree));
    }
    let row = 0;
    const decides = decider(explanation);
    const named = decides?.served ?? decides?.key;
    this.key.hidden = true;
    const fill = (/** @type {WhyNode} */ node) => {
      if (this.fill(this.rows[row++], node, node.key === named, about)) this.key.hidden = false;
      node.parts.forEach(fill);
    };
    fill(tree);
  }

  /** @param {WhyNode} node @returns {HTMLElement} */
  made(node) {
    const words = node.weight === 1 ? node.label : `${short(node.weight)} \u00d7 ${node.label}`;
    const name = button(words, PICK, () => this.pick(node.key), { className: "part" });
    const force = html("span", { className: "force" });
    const parts = [html("i"), html("i")];
    const bar = html("span", { className: "bar", title: "What it asks for, and what is granted of that" }, ...parts);
    const change = html("div");
    const line = html("li", {}, name, force, ...(node.parts.length ? [] : [bar]), change);
    this.rows.push({ line, button: name, force, bar, parts, change });
    if (node.parts.length) line.append(html("ul", {}, ...node.parts.map((each) => this.made(each))));
    return line;
  }

  /**
   * The numbers of a line; returns whether less than it asks for is granted.
   * @param {Row} row
   * @param {WhyNode} node
   * @param {boolean} winner whether it decides, as the sentence says
   * @param {{full: number, beside: number, quiet: number, picked: number | null}} about
   */
  fill(row, node, winner, { full, beside, quiet, picked }) {
    const size = Math.hypot(...node.raw);
    const said = short(size, beside);
    const wants = said === "0" ? 0 : size;
    const amount = Math.hypot(...node.contribution);
    row.line.className = [
      node.evaluated ? (node.acts || wants > 0 ? "" : "idle") : "unasked",
      winner ? "winner" : "",
    ].join(" ");
    row.button.ariaPressed = String(picked === node.key);
    row.force.textContent = node.evaluated ? (wants > 0 && wants < quiet ? "about 0 N" : `${said} N`) : "not asked";
    row.bar.hidden = !(wants > 0);
    [wants, amount].forEach((each, k) => (row.parts[k].style.width = `${Math.min((100 * each) / full, 100)}%`));
    row.change.replaceChildren(...(node.change ? [changed(node.change)] : []));
    return !node.parts.length && wants > 0 && amount < 0.97 * wants;
  }
}

/** What the lines of a tree are of. @param {WhyNode} node @returns {any} */
const shapeOf = ({ key, label, weight, parts }) => [key, label, weight, parts.map(shapeOf)];

/**
 * The mode, and the transition that led there.
 * @param {Change} change
 */
function changed({ mode, seconds, left, because }) {
  const words = seconds > 0 ? ` for ${short(seconds)} s` : " from now on";
  const why = left ? [html("br"), `from ${left} because `, html("span", { className: "because" }, because)] : [];
  const title = "The mode that it is in, for how long, and the transition that took it there";
  return html("div", { className: "change", title }, html("b", { textContent: mode }), words, ...why);
}
