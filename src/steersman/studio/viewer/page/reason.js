// The reason: one sentence over the picture, on the motion of the explained vehicle and on its purpose.

import { QUIET, decider, doers, kept, walk } from "./acting.js";
import { byId } from "./controls.js";
import { leavesOf, wayOf } from "./tour.js";

/** @typedef {import("./why.js").Explanation} Explanation */
/** @typedef {import("./why.js").WhyNode} WhyNode */

const LITTLE = 0.1; // Below this part of a large force, it is a correction.
const STILL = 0.05; // Below this part of it, a vehicle at rest stays so.
const HARD = 0.75; // Above this part of a large force.
const SECOND = 0.5; // A force that is at least this part of the first one is told, too.
const AGAINST = -0.2; // Two forces with a lesser cosine work against each other.
const RESTING = 0.02; // Slower than this part of the top speed is at rest.
const FAST = 0.97; // Faster than this part of the top speed is as fast as can be.
const STAYS = 700; // A sentence can be read for so long before the next one comes [ms].

/** The motions for the words of a direction, of a vehicle that rests, moves, and moves as fast as it can. @type {Record<string, string[]>} */
const MOTIONS = {
  ahead: ["sets off", "speeds up", ""],
  backward: ["backs up", "brakes", "brakes"],
  "to the left": ["sets off to the left", "turns left", "turns left"],
  "to the right": ["sets off to the right", "turns right", "turns right"],
  upward: ["rises", "climbs", "climbs"],
  downward: ["sinks", "dives", "dives"],
};

const HEIGHT = new Set(["upward", "downward"]); // The ground says how high a vehicle upon it is, and no force.

export class Reason {
  constructor() {
    this.box = byId("reason");
    this.at = -Infinity;
    this.subject = "";
    /** Puts the last sentence into the page. @type {(() => void) | undefined} */
    this.write = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
  }

  /**
   * Tell the reason of a vehicle. A sentence stays until it can be read, unless it is about another vehicle.
   * @param {Explanation | null} told null hides it
   * @param {number[]} forward of the vehicle
   * @param {number[]} [up]
   */
  show(told, forward = [], up = undefined) {
    clearTimeout(this.waiting);
    const subject = told?.tree ? `${told.population} ${told.id}` : "";
    const sentence = told?.tree && forward.length ? reasonOf(told, forward, up) : "";
    const rest = this.at + STAYS - performance.now();
    this.write = () => {
      if (this.box.textContent !== sentence) this.at = performance.now();
      this.box.textContent = sentence;
      this.box.hidden = !sentence;
    };
    if (subject !== this.subject || rest <= 0) this.write();
    else this.waiting = setTimeout(this.write, rest);
    this.subject = subject;
  }

  /** Tell the last reason now: the picture stands still. */
  flush() {
    clearTimeout(this.waiting);
    this.write?.();
  }
}

/**
 * The mode of a vehicle, its motion and its purpose, as a sentence.
 * @param {Explanation} told
 * @param {number[]} forward
 * @param {number[]} [up]
 */
export function reasonOf(told, forward, up = [0, 0, 1]) {
  if (!told.tree) return "";
  const acting = actingIn(told);
  const mode = modeOf(told.tree, (acting[0] ?? leavesOf(told.tree)[told.leaf])?.key);
  const sentence = motionOf(told, acting, forward, up);
  return mode ? sentence.replace("It", `In mode ${mode} it`) : sentence;
}

/**
 * The same without the mode.
 * @param {Explanation} told
 * @param {WhyNode[]} acting the strongest first
 * @param {number[]} forward
 * @param {number[]} up
 */
function motionOf(told, acting, forward, up) {
  const { force, full, pace, on_ground } = told;
  const quiet = QUIET * full;
  const [first, second] = acting;
  const strength = Math.hypot(...force);
  if (!(strength > quiet)) {
    if (second) return `It keeps its course: the forces ${purpose(first)} and ${purpose(second)} cancel out.`;
    if (pace !== null && pace < RESTING) return "It rests.";
    return `It is on course ${purpose(decider(told))}.`.replace(" .", ".");
  }
  const gear = pace === null ? 1 : pace < RESTING ? 0 : pace > FAST ? 2 : 1;
  const ways = wayOf(force, forward, up).split(" and ");
  const motions = ways.map((way) => (on_ground && HEIGHT.has(way) ? "" : MOTIONS[way]?.[gear])).filter(Boolean);
  const much = strength < LITTLE * full ? " a little" : strength > HARD * full ? " hard" : "";
  const rests = gear === 0 && strength < STILL * full;
  const onward = ways[0] === "ahead" && gear === 2 ? "keeps up its top speed" : "goes straight on";
  const motion = rests ? "rests" : motions.length ? `${motions.join(" and ")}${much}` : onward;
  if (
    second &&
    purpose(first) !== purpose(second) &&
    kept(second) >= SECOND * kept(first) &&
    cosine(first, second) < AGAINST
  )
    return `It ${motion}: one force is ${purpose(first)}, another ${purpose(second)}.`;
  const helping = acting
    .filter((each) => kept(each) >= SECOND * kept(first) && cosine(first, each) > AGAINST)
    .map(purpose);
  const purposes = helping.filter((each, k) => helping.indexOf(each) === k);
  return `It ${motion} ${purposes.slice(0, 2).join(", and ")}.`.replace(" .", ".");
}

/** What acts on a vehicle, the strongest first. @param {Explanation} told @returns {WhyNode[]} */
const actingIn = ({ tree, full }) =>
  doers(/** @type {WhyNode} */ (tree))
    .filter((each) => kept(each) > QUIET * full)
    .sort((a, b) => kept(b) - kept(a));

/**
 * The mode in which a part of a node acts; "" where no state machine is above it.
 * @param {WhyNode} node
 * @param {number | undefined} key of the part
 * @returns {string}
 */
function modeOf(node, key) {
  const part = node.parts.find((each) => walk(each).some((below) => below.key === key));
  return (part && modeOf(part, key)) || (part && node.change?.mode) || "";
}

/** The cosine of the angle between two forces. @param {WhyNode} one @param {WhyNode} other */
const cosine = (one, other) =>
  one.contribution.reduce((sum, each, c) => sum + each * other.contribution[c], 0) / (kept(one) * kept(other));

/** The purpose of a behavior, with its "to"; its name where only that is known. @param {WhyNode | undefined} node */
const purpose = (node) => (node?.purpose ? `to ${node.purpose}` : node ? `for ${node.label}` : "");
