// Why: the explanation of a vehicle, as a tree with bars and as arrows in the picture, with their names.

import { html, meaning, section, short } from "./controls.js";
import { Arrows } from "./everybody.js";
import { CALM, CANCELED } from "./names.js";
import { nearest, outlines, parted } from "./outlines.js";
import { cssOf, tone } from "./palette.js";
import { TONES } from "./theme.js";
import { Tour, leavesOf } from "./tour.js";

/** @typedef {import("./types.js").Element} Element */

const LEGIBLE = 0.05; // Shorter arrows have no words, as a part of half of the picture.
const BORDER = 12; // From the tip of an arrow to the border of the picture, and the shortest arrow for its sake [pixels of CSS].
const FARTHEST = 0.6; // The longest arrow, as a part of half of the picture: longer ones would leave it.
const LEAST = 44; // The longest arrow of a force is no shorter [pixels of CSS]: it leaves the ring around the vehicle.
const QUIET = 2e-3; // Forces below this part of a large one for the vehicle steer nothing.
const ALIKE = 0.03; // Arrows that differ by less than this part are one.
const STEERING = "steering (relative lengths)";
const OF_LIMIT = 0.1; // This part of its largest force is a large force for a vehicle.

/**
 * @typedef {object} Change
 * @property {string} mode the mode that it is in
 * @property {number} seconds for how long
 * @property {string} left the mode that it left; "" where no transition took it there
 * @property {string} because the condition of the transition
 */

/**
 * @typedef {object} WhyNode
 * @property {number} key of the node in its tree
 * @property {string} label
 * @property {number} weight
 * @property {boolean} evaluated
 * @property {boolean} acts
 * @property {number[]} raw
 * @property {number[]} contribution
 * @property {Change | null} change of a state machine: the mode, and how it came there
 * @property {WhyNode[]} parts
 */

/**
 * @typedef {object} Explanation
 * @property {string} population
 * @property {number} id
 * @property {WhyNode | null} tree
 * @property {number[]} force
 * @property {number | null} max_force
 * @property {number} full a large force for it [N]
 * @property {string} winner
 * @property {number} leaf the number of the behavior that decides, among those without parts; -1 for none
 * @property {number} scale
 * @property {import("./types.js").Element[]} near how far it looks
 * @property {import("./types.js").Element[]} elements what else it looks at
 * @property {[string, string][]} legend colors of that, and what they mean
 */

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
    this.follow = html("input", { type: "checkbox", title: "Keep it in the middle of the picture (f)" });
    this.follow.addEventListener("change", () => {
      stage.following = this.follow.checked;
      stage.dirty = true;
    });
    this.tour = new Tour(stage, () => this.draw());
    const title = "What the behavior that decides sees, wants and does, in three steps; then the others (g)";
    this.ways = html("button", { textContent: "Tour", title, on: { click: () => this.tour.next() } });
    const away = html("button", { textContent: "Close", title: "Explain nobody (escape)", on: { click: this.forget } });
    this.head = html("div", { className: "buttons" }, this.ways, html("label", {}, this.follow, " Follow"), away);
    this.rest = html("div");
    this.show(null);
  }

  /** @param {Explanation | null} told */
  show(told) {
    this.told = told;
    this.tour.show(told);
    if (!told) {
      this.inside.replaceChildren(
        html("p", { className: "hint", textContent: "Click a vehicle to see why it is steered as it is." }),
      );
      this.stage.decorate("why");
      return;
    }
    this.follow.checked = this.stage.following;
    this.ways.hidden = !told.tree || !this.tour.abouts.size;
    const greatest = Math.max(0, ...(told.tree ? sizes(told.tree) : []));
    const beside = told.max_force === null ? greatest : OF_LIMIT * told.full;
    const size = short(Math.hypot(...(told.force ?? [])), beside);
    const most = told.max_force === null ? "" : ` of at most ${short(told.max_force)} N`;
    const quiet = quietly(told);
    const state = told.tree ? quiet || `${size} N${most}` : "it is not steered";
    const title = html("p", { className: "hint", textContent: `${told.population}, vehicle ${told.id}: ${state}` });
    const list = html("ul", { className: "why" });
    const full = Math.max(told.full ?? 0, greatest) || 1;
    let count = 0;
    const item = (/** @type {WhyNode} */ node) => {
      const leaf = node.parts.length ? -1 : count++;
      const said = short(Math.hypot(...node.raw), beside);
      const wants = said === "0" ? 0 : Math.hypot(...node.raw);
      const force = wants > 0 && wants < QUIET * (told.full ?? 0) ? "about 0 N" : `${said} N`;
      const line = html(
        "li",
        { className: `${node.acts || wants > 0 ? "" : "idle"} ${leaf >= 0 && leaf === told.leaf ? "winner" : ""}` },
        node.weight === 1 ? node.label : `${short(node.weight)} × ${node.label}`,
        html("span", { className: "force", textContent: node.evaluated ? force : "not asked" }),
      );
      if (leaf >= 0 && wants > 0) {
        const bar = (/** @type {number} */ part) => html("i", { style: { width: `${Math.min(100 * part, 100)}%` } });
        line.append(
          html(
            "span",
            { className: "bar", title: "What it wants, and what is kept of that" },
            bar(wants / full),
            bar(Math.hypot(...node.contribution) / full),
          ),
        );
      }
      if (node.change) line.append(changed(node.change));
      if (node.parts.length) line.append(html("ul", {}, ...node.parts.map(item)));
      return line;
    };
    if (told.tree) list.append(item(told.tree));
    const { near, sketch, why } = this.stage.layers;
    const meanings = near || sketch ? (told.legend ?? []).map(([shade, words]) => meaning(cssOf(shade), words)) : [];
    if (told.tree && why && quiet !== CALM) meanings.unshift(meaning(cssOf(TONES.steering[0]), STEERING));
    this.rest.replaceChildren(
      title,
      list,
      html("div", { className: "meanings", hidden: !meanings.length }, ...meanings),
    );
    // The buttons stay as they are: one that is made anew between press and release hears of no click.
    if (this.head.parentElement !== this.inside) this.inside.replaceChildren(this.rest, this.head);
    this.draw();
  }

  /** What it looks at, and the arrows, which follow it. */
  draw() {
    const { told, stage } = this;
    if (!told || !told.tree) return stage.decorate("why");
    const { near, sketch, why } = stage.layers;
    const all = [...(near ? told.near : []), ...(sketch ? told.elements : [])];
    const d = stage.scene?.dimensions ?? 2;
    const elements = (this.tour.on ? this.tour.elements(told) : all).map((each) => nearest(each, d));
    const { rest, spheres } = d === 3 ? parted(elements) : { rest: elements, spheres: [] };
    return stage.decorate("why", rest, () => [
      ...(stage.camera && "eye" in stage.camera ? outlines(spheres, stage.camera.eye) : []),
      ...(why ? this.arrows(told) : []),
    ]);
  }

  /**
   * What each behavior wants, thin, and what is kept of it, bold, most of all for the one that decides; and the force that
   * steers.
   * @param {Explanation} told
   */
  arrows(told) {
    const { stage } = this;
    const tail = stage.placeOf({ population: told.population, id: told.id });
    if (!tail || !told.tree) return [];
    const [d, reach] = [tail.length, stage.scene?.reach ?? 1];
    const arrows = new Arrows(d);
    const color = tone("steering"); // Behaviors are told apart by the words beside their arrows.
    const { camera } = stage;
    const greatest = Math.max(...sizes(told.tree), Math.hypot(...told.force));
    const usual = told.scale * greatest * (camera?.meter(tail) ?? Infinity); // [pixels of CSS]
    const quiet = quietly(told);
    const scale = quiet === CALM || !(usual < LEAST) ? told.scale : (told.scale * LEAST) / usual;
    const scaleOf = (/** @type {number[]} */ force) =>
      Math.min(scale, (FARTHEST * reach) / (Math.hypot(...force) || 1), within(camera, tail, force));
    const arrow = (/** @type {number[]} */ force, /** @type {number} */ wide) => {
      const width = wide * reach * (d === 3 ? 0.006 : 0.0036);
      arrows.add(tail, 0, force, 0, scaleOf(force), 1e-3 * reach, [...color, 0.9], width);
    };
    /** @type {Element[]} */
    const words = [];
    const text = (/** @type {string} */ word, /** @type {number[]} */ place, shade = color) => ({
      ...{ kind: "texts", layer: 9, position: Float32Array.from(place), words: [word] },
      color: Float32Array.from(shade),
    });
    const name = (/** @type {string} */ label, /** @type {number[]} */ force) => {
      if (scale * Math.hypot(...force) < LEGIBLE * reach) return; // Several words would lie on each other.
      words.push(
        text(
          label,
          tail.map((each, c) => each + scaleOf(force) * force[c]),
        ),
      );
    };
    const all = leavesOf(told.tree);
    if (this.tour.on && this.tour.step < 2) {
      const { label, raw } = all[this.tour.leaf] ?? all[0];
      if (this.tour.step === 1) {
        arrow(raw, 1.3);
        name(label, raw);
      }
      return [...arrows.elements(), ...words];
    }
    if (quiet) words.push(text(quiet, tail, tone("ink")));
    if (quiet === CALM) return words;
    arrow(told.force, 1.9);
    if (all.length > 1) name("steering", told.force);
    all.forEach(({ label, raw, contribution }, k) => {
      if (!alike(raw, contribution)) arrow(raw, 0.5);
      if (!alike(contribution, told.force)) arrow(contribution, k === told.leaf ? 1.3 : 0.9);
      name(label, contribution);
    });
    return [...arrows.elements(), ...words];
  }
}

/**
 * What is said of a vehicle that nothing steers now, as its behaviors ask for nothing or as what they ask for cancels out; else "".
 * @param {Explanation} told
 */
export function quietly({ tree, force, full = 0 }) {
  if (!tree || !(Math.hypot(...force) <= QUIET * full)) return "";
  const parts = leavesOf(tree).map(({ contribution }) => Math.hypot(...contribution));
  return parts.some((each) => each > QUIET * full) ? CANCELED : CALM;
}

/** Whether two forces make one arrow. @param {number[]} one @param {number[]} other */
const alike = (one, other) =>
  Math.hypot(...one.map((each, c) => each - other[c])) <= ALIKE * Math.max(Math.hypot(...one), Math.hypot(...other));

/**
 * With which scale a force from a place ends in the picture; as far as it likes where the place itself is not seen, or
 * lies so close to the border that there would be no arrow.
 * @param {any} camera
 * @param {number[]} tail
 * @param {number[]} force
 */
export function within(camera, tail, force) {
  if (tail.length !== 2 || !camera || !("scale" in camera)) return Infinity;
  const rooms = [camera.width, camera.height].map((size, c) => {
    const off = (tail[c] - camera.middle[c]) * Math.sign(force[c] || 1);
    return ((size / 2 - BORDER) / camera.scale - off) / Math.abs(force[c]);
  });
  const room = Math.min(...rooms);
  return room * Math.hypot(...force) * camera.scale > BORDER ? room : Infinity;
}

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

/** @param {WhyNode} node @returns {number[]} */
const sizes = (node) => leavesOf(node).flatMap((each) => [Math.hypot(...each.raw), Math.hypot(...each.contribution)]);
