// The tour of a behavior in three steps: what it sees, what it wants, what it does. All words are those of the library.

import { decider, leavesOf } from "./acting.js";
import { button, byId, html, meaning, short } from "./controls.js";
import { bodyIn, isSame } from "./frames.js";
import { cssOf } from "./palette.js";
import { ALONG, partsOf } from "./reason.js";
import { degrees } from "./tree.js";

/** @typedef {import("./why.js").Explanation} Explanation */
/** @typedef {import("./why.js").WhyNode} WhyNode */
/** @typedef {{doc: string, parameters: import("./tree.js").Parameter[]}} About */

export const STEPS = ["what it sees", "what it wants", "what it does"];

/** What a behavior wants, and not what it sees. */
const GOALS = ["desired velocity", "where to go"];

/** What is counted: of the others, one is a circle with many parts. */
const COUNTED = ["neighbors and obstacles that count", "predicted position", "where not to be"];

const NEAR = 0.3; // How far what it sees is from the middle of the picture, as a part of its smaller side.

export class Tour {
  /**
   * @param {import("./stage.js").Stage} stage
   * @param {() => void} changed called when another step is to be drawn
   */
  constructor(stage, changed) {
    this.stage = stage;
    this.changed = changed;
    this.on = false;
    this.step = this.leaf = 0;
    /** What the camera did before: whether it followed, framed, and was moved by the user. */
    this.followed = this.framed = this.touched = false;
    /** What the library says of the nodes, by population and key. @type {Map<string, About>} */
    this.abouts = new Map();
    /** @type {Explanation | null} */
    this.explanation = null;
    this.box = byId("tour");
    this.title = html("b");
    this.body = html("div");
    this.before = button("Before", "The step before", () => this.go(-1));
    this.after = button("Next", "The next step (g)", () => this.go(1));
    const end = button("End", "End the tour (escape)", () => this.end());
    const buttons = html("div", { className: "buttons" }, this.before, this.after, end);
    this.box.replaceChildren(this.title, this.body, buttons);
    this.box.hidden = true;
  }

  /** @param {{name: string, tree: any}[]} populations */
  learn(populations) {
    this.abouts.clear();
    const walk = (/** @type {string} */ name, /** @type {any} */ node) => {
      this.abouts.set(`${name} ${node.key}`, node);
      node.children.forEach((/** @type {any} */ each) => walk(name, each));
    };
    for (const { name, tree } of populations) if (tree) walk(name, tree);
  }

  /** @param {Explanation | null} explanation */
  show(explanation) {
    const other = this.explanation && !isSame(explanation, this.explanation);
    this.explanation = explanation;
    if (!explanation?.tree || other) this.end();
    else if (this.on) this.write();
  }

  /** @returns {WhyNode[]} */
  get leaves() {
    return this.explanation?.tree ? leavesOf(this.explanation.tree) : [];
  }

  /** The number of the behavior that decides, or of that which another one serves that does. */
  get deciding() {
    const decides = this.explanation ? decider(this.explanation) : undefined;
    const number = this.leaves.findIndex(({ key }) => key === (decides?.served ?? decides?.key));
    return number < 0 ? (this.explanation?.leaf ?? -1) : number;
  }

  /** Begin with the behavior that decides, or go a step on. */
  next() {
    if (this.on) return this.go(1);
    if (!this.leaves.length) return;
    const { stage } = this;
    [this.on, this.step, this.leaf] = [true, 0, Math.max(this.deciding, 0)];
    [this.followed, this.framed] = [stage.following, stage.framing.auto];
    stage.framing.center();
    this.touched = Boolean(stage.camera && "touched" in stage.camera && stage.camera.touched);
    stage.following = true;
    this.come();
    this.redraw();
  }

  end() {
    if (!this.on) return;
    const { stage } = this;
    [this.on, this.box.hidden, stage.following] = [false, true, this.followed];
    stage.framing.auto = this.framed;
    stage.approach(null);
    if (!this.touched && !this.followed) stage.camera?.fit();
    this.redraw();
  }

  /** @param {number} by steps */
  go(by) {
    const most = STEPS.length * this.leaves.length;
    const now = (STEPS.length * this.leaf + this.step + by + most) % most;
    [this.leaf, this.step] = [Math.floor(now / STEPS.length), now % STEPS.length];
    if (this.step === 0 || by < 0) this.come();
    this.redraw();
  }

  /** Come so near that what the behavior sees fills the picture. */
  come() {
    const { stage, explanation } = this;
    const place = explanation && stage.placeOf({ population: explanation.population, id: explanation.id });
    if (!place) return;
    const d = place.length;
    let far = 0;
    for (const { points = [], position = [], tips = [] } of this.elements(explanation))
      for (const each of [points, position, tips])
        for (let k = 0; k + d <= each.length; k += d)
          far = Math.max(far, Math.hypot(...place.map((at, c) => each[k + c] - at)));
    stage.approach(far > 0 ? far / NEAR : null);
  }

  /** Whether it shows a velocity: that of the vehicle while forces begin at its tip, the desired one with all forces. @param {import("./types.js").Element} each */
  shows({ of, means = "" }) {
    if (!this.on || this.step === 2) return true;
    const own = of === this.leaves[this.leaf]?.key;
    return this.step === 0 ? own && !GOALS.includes(means) : own || !GOALS.includes(means);
  }

  redraw() {
    if (this.on) this.write();
    this.changed();
  }

  /** What is drawn of a sketch at this step. @param {Explanation} told */
  elements({ near, elements }) {
    const key = this.leaves[this.leaf]?.key;
    const own = [...near, ...elements].filter(({ of }) => of === key);
    return own.filter(({ means = "" }) => (this.step === 0 ? !GOALS.includes(means) : this.step === 1));
  }

  write() {
    const { explanation, leaves, step } = this;
    const node = leaves[(this.leaf = Math.min(this.leaf, leaves.length - 1))];
    if (!explanation || !node) return;
    this.title.textContent = `${node.label}: ${STEPS[step]} (${step + 1} of ${STEPS.length})`;
    const last = step === STEPS.length - 1;
    this.after.textContent =
      last && leaves.length > 1 ? `Next: ${leaves[(this.leaf + 1) % leaves.length].label}` : "Next";
    this.before.disabled = step === 0 && leaves.length === 1;
    const about = this.abouts.get(`${explanation.population} ${node.key}`);
    const lines = [
      () => this.sees(explanation, node, about),
      () => this.wants(explanation, node, about),
      () => this.does(explanation, node),
    ][step]();
    const made = html("div", {}, ...lines.map((line) => html("p", {}, line)));
    if (made.innerHTML !== this.body.innerHTML) this.body.replaceChildren(...made.children);
    this.box.hidden = false;
  }

  /**
   * @param {Explanation} explanation
   * @param {WhyNode} node
   * @param {About | undefined} about
   */
  sees(explanation, node, about) {
    /** @type {Map<string, {means: string, count: number}>} */
    const items = new Map();
    const own = [...explanation.near, ...explanation.elements].filter(
      ({ of, means = "" }) => of === node.key && !GOALS.includes(means),
    );
    for (const { means = "", says, count = 1, kind } of own)
      if (kind !== "texts" && says) items.set(says, { means, count: Math.max(items.get(says)?.count ?? 0, count) });
    /** @type {(string | Node)[]} */
    const lines = [...items].map(([says, { means, count }]) => {
      const shade = explanation.legend.find(([, words]) => words === means)?.[0] ?? "";
      return meaning(cssOf(shade), means, COUNTED.includes(means) && count > 1 ? `${says}: ${count}` : says);
    });
    if (!lines.length) lines.push(node.evaluated ? "Nothing but the vehicle itself." : "Nothing: it is not asked now.");
    const values = (about?.parameters ?? []).flatMap((each) => {
      const [{ name, value, unit, doc }] = degrees(each);
      if (!unit || !value || typeof value !== "number") return []; // What is infinite has no limit to tell.
      const words = `${name.replaceAll("_", " ")} ${short(value)} ${unit}`.replace(" \u00b0", "\u00b0");
      return html("span", { title: doc }, words);
    });
    return values.length ? [...lines, html("span", { className: "values" }, ...values)] : lines;
  }

  /**
   * @param {Explanation} explanation
   * @param {WhyNode} node
   * @param {About | undefined} about
   */
  wants(explanation, node, about) {
    const asks = this.force(explanation, node.raw);
    return [...(about?.doc ? [about.doc] : []), asks ? `It asks for ${asks}.` : "It asks for no force now."];
  }

  /**
   * @param {Explanation} explanation
   * @param {WhyNode} node
   */
  does(explanation, node) {
    const amount = this.force(explanation, node.contribution);
    const winner = this.leaves[this.deciding];
    const lines = [
      !node.evaluated
        ? "It is not asked now: another part goes first."
        : amount
          ? `It contributes ${amount}.`
          : "It contributes nothing now.",
    ];
    if (this.leaves.length > 1 && winner)
      lines.push(winner === node ? "It decides now." : `${winner.label} decides now.`);
    lines.push(
      `The vehicle is steered with ${this.force(explanation, explanation.force) || "0 N"}${limitOf(explanation)}.`,
    );
    for (const above of aboveOf(/** @type {WhyNode} */ (explanation.tree), node)) {
      const about = this.abouts.get(`${explanation.population} ${above.key}`);
      if (about?.doc) lines.push(`${above.label}: ${about.doc}`);
    }
    return lines;
  }

  /**
   * A force and its direction as the vehicle sees it; "" for none.
   * @param {Explanation} told
   * @param {number[]} vector
   */
  force(told, vector) {
    const size = short(Math.hypot(...vector), told.max_force === null ? 0 : 0.1 * told.full);
    const body = bodyIn(this.stage.after, told);
    return body && size !== "0" ? `${size} N ${wayOf(vector, body.forward, body.up ?? [0, 0, 1])}` : "";
  }
}

/** What a vehicle has at most, in words. @param {Explanation} explanation */
export const limitOf = ({ max_force }) => (max_force === null ? "" : ` of at most ${short(max_force)} N`);

/**
 * A direction in words, as one sees it who faces forward.
 * @param {number[]} vector
 * @param {number[]} forward
 * @param {number[]} up
 */
export function wayOf(vector, forward, up) {
  const [ahead, side, rise] = partsOf(vector, forward, up); // A climb across forward: straight on uphill is ahead.
  const words = [];
  if (Math.abs(ahead) > ALONG) words.push(ahead > 0 ? "ahead" : "backward");
  if (Math.abs(side) > ALONG) words.push(side > 0 ? "to the left" : "to the right");
  if (Math.abs(rise) > ALONG) words.push(rise > 0 ? "upward" : "downward");
  return words.join(" and ");
}

/**
 * The nodes above another one, the nearest first.
 * @param {WhyNode} tree
 * @param {WhyNode} node
 * @returns {WhyNode[]}
 */
function aboveOf(tree, node) {
  for (const part of tree.parts) {
    if (part === node) return [tree];
    const above = aboveOf(part, node);
    if (above.length) return [...above, tree];
  }
  return [];
}
