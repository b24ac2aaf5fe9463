// Why: the explanation of a vehicle, as a tree with bars and as arrows in the picture, each node in its color.

import { css, html, section, short } from "./controls.js";

/**
 * @typedef {object} WhyNode
 * @property {string} label
 * @property {number} weight
 * @property {boolean} asked
 * @property {boolean} acts
 * @property {number[]} raw
 * @property {number[]} kept
 * @property {WhyNode[]} parts
 */

/**
 * @typedef {object} Explanation
 * @property {string} population
 * @property {number} id
 * @property {WhyNode | null} tree
 * @property {number[]} force
 * @property {number | null} max_force
 * @property {string} winner
 * @property {number} scale
 * @property {import("./types.js").Element[]} elements what it looks at
 * @property {[string, string][]} legend colors of that, and what they mean
 */

/** Colors of behaviors; the shader of bodies has the same. */
export const COLORS = [
  [0.84, 0.37, 0],
  [0, 0.45, 0.7],
  [0, 0.62, 0.45],
  [0.56, 0.27, 0.52],
  [0.9, 0.62, 0],
  [0.23, 0.62, 0.84],
  [0.75, 0.69, 0],
  [0.8, 0.35, 0.55],
];

export class Why {
  /**
   * @param {import("./stage.js").Stage} stage
   * @param {() => void} forget called when nobody is to be explained any more
   */
  constructor(stage, forget) {
    this.stage = stage;
    this.forget = forget;
    this.inside = section("Why", true);
    /** @type {Explanation | null} */
    this.told = null;
    this.show(null);
  }

  /** @param {Explanation | null} told */
  show(told) {
    this.told = told;
    if (!told) {
      this.inside.replaceChildren(
        html("p", { className: "hint", textContent: "Click a vehicle to see why it is steered as it is." }),
      );
      this.stage.decorate([]);
      return;
    }
    const follow = html("input", {
      type: "checkbox",
      checked: this.stage.following,
      title: "Keep it in the middle of the picture (f)",
    });
    follow.addEventListener("change", () => {
      this.stage.following = follow.checked;
      this.stage.dirty = true;
    });
    const away = html("button", { textContent: "Close", title: "Explain nobody (escape)", on: { click: this.forget } });
    const head = html("div", { className: "buttons" }, html("label", {}, follow, " Follow"), away);
    const size = short(Math.hypot(...(told.force ?? [])));
    const most = told.max_force === null ? "" : ` of at most ${short(told.max_force)} N`;
    const title = html("p", {
      className: "hint",
      textContent: `${told.population}, vehicle ${told.id}${told.tree ? `: ${size} N${most}` : ": it is not steered"}`,
    });
    const list = html("ul", { className: "why" });
    const full = Math.max(told.max_force ?? 0, ...(told.tree ? sizes(told.tree) : []), 1e-9);
    let color = 0;
    const item = (/** @type {WhyNode} */ node) => {
      const own = node.parts.length ? null : COLORS[color++ % COLORS.length];
      const wants = Math.hypot(...node.raw);
      const line = html(
        "li",
        { className: `${node.acts || wants > 0 ? "" : "idle"} ${told.winner === node.label ? "winner" : ""}` },
        html("span", { className: "swatch", style: { background: own ? css(own) : "transparent" } }),
        node.weight === 1 ? node.label : `${short(node.weight)} × ${node.label}`,
        html("span", { className: "force", textContent: node.asked ? `${short(wants)} N` : "not asked" }),
      );
      if (own && wants > 0) {
        const bar = (/** @type {number} */ part) =>
          html("i", { style: { width: `${Math.min(100 * part, 100)}%`, background: css(own) } });
        line.append(
          html(
            "span",
            { className: "bar", title: "What it wants, and what is kept of that" },
            bar(wants / full),
            bar(Math.hypot(...node.kept) / full),
          ),
        );
      }
      if (node.parts.length) line.append(html("ul", {}, ...node.parts.map(item)));
      return line;
    };
    if (told.tree) list.append(item(told.tree));
    const meanings = (told.legend ?? []).map(([shade, words]) =>
      html("span", {}, html("i", { className: "swatch", style: { background: shade } }), words),
    );
    this.inside.replaceChildren(
      title,
      list,
      html("div", { className: "meanings", hidden: !this.stage.layers.sketch }, ...meanings),
      head,
    );
    this.draw();
  }

  /** The arrows: what each node wants, thin, and what is kept of it, bold; and the force that steers. */
  draw() {
    const { told, stage } = this;
    if (!told || !told.tree) return stage.decorate([]);
    const sketch = stage.layers.sketch ? told.elements : [];
    const tail = stage.placeOf({ population: told.population, id: told.id });
    if (!tail || !stage.layers.why)
      return stage.decorate(sketch.map((each) => ({ ...each, plain: !stage.painter.dark })));
    const d = tail.length;
    const width = (stage.scene?.reach ?? 1) * (d === 3 ? 0.006 : 0.0036);
    /** @type {import("./types.js").Element[]} */
    const arrows = [];
    const arrow = (
      /** @type {number[]} */ force,
      /** @type {number[]} */ color,
      /** @type {number} */ alpha,
      /** @type {number} */ wide,
    ) => {
      if (!(Math.hypot(...force) * told.scale > 1e-3 * (stage.scene?.reach ?? 1))) return;
      const tip = tail.map((each, k) => each + told.scale * force[k]);
      arrows.push({
        kind: "arrows",
        layer: 9,
        tails: new Float32Array(tail),
        tips: new Float32Array(tip),
        color: new Float32Array([...color, alpha]),
        width: new Float32Array([wide * width]),
      });
    };
    const dark = stage.painter.dark;
    arrow(told.force.slice(0, d), dark ? [1, 1, 1] : [0.1, 0.11, 0.13], 0.9, 1.7);
    leaves(told.tree).forEach((node, k) => {
      const color = COLORS[k % COLORS.length];
      arrow(node.raw.slice(0, d), color, 0.4, 0.9);
      arrow(node.kept.slice(0, d), color, 1, 1.3);
    });
    return stage.decorate([
      ...sketch.map((each) => ({ ...each, plain: !dark })),
      ...arrows.map((each) => ({ ...each, plain: true })),
    ]);
  }
}

/** @param {WhyNode} node @returns {WhyNode[]} */
const leaves = (node) => (node.parts.length ? node.parts.flatMap(leaves) : [node]);

/** @param {WhyNode} node @returns {number[]} */
const sizes = (node) => leaves(node).flatMap((each) => [Math.hypot(...each.raw), Math.hypot(...each.kept)]);
