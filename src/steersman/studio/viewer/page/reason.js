// The reason: one sentence below the picture, on the motion of the explained vehicle and on its purpose.

import { BARELY, FAST, QUIET, decider, effectOf, grounded, serving, walk } from "./acting.js";
import { byId, html, short } from "./controls.js";
import { cosine, cross, dot, plus, unit } from "./linear.js";

/** @typedef {import("./why.js").Explanation & {velocity?: number[]}} Explanation */
/** @typedef {import("./why.js").WhyNode} WhyNode */
/**
 * How a vector at the vehicle lies in the picture: right and up, a meter across the view as 1; undefined for a plane from above.
 * @typedef {((vector: number[]) => number[]) | undefined} Seen
 */

const LITTLE = 0.15; // Below this part of it, a motion is small.
const HARD = 0.75; // Above this part of it.
export const ALONG = 0.38; // The cosine from which on a force is felt along an axis: eight equal directions.
const SIDEWAYS = 0.7; // What turns a vehicle at its top speed is less than this part of a force that lies ahead.
const RESTING = 0.02; // Slower than this part of the top speed is at rest.
const STEEP = 0.25; // The sine of the angle at which a flight is a dive or a climb.
const SIDE = 0.2; // Arrows in a picture with a smaller sine of the angle between them tell no side,
const TOWARD = 0.3; // and neither do those that point at the eye, or away from it: a smaller part of them is seen.
const ASKEW = 0.5; // What moves at an angle with a smaller cosine faces elsewhere.
const FACE = "face "; // With which the purpose of what turns a body begins.
const BECAUSE = "because "; // With which a purpose begins that is a cause.
const STAYS = 700; // A sentence can be read for so long before the next one comes [ms].

export class Reason {
  constructor() {
    /** Where the sentence stands. @type {HTMLElement[]} */
    this.boxes = [byId("reason")];
    this.at = -Infinity;
    this.subject = "";
    /** Puts the last sentence into the page. @type {(() => void) | undefined} */
    this.write = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.waiting = undefined;
  }

  /**
   * Tell the reason of a vehicle. A sentence stays until it can be read, unless it is about another vehicle.
   * @param {Explanation | null} explanation null hides it
   * @param {number[]} forward of the vehicle
   * @param {number[]} [up]
   * @param {Seen} [onScreen]
   * @param {[string, string][]} [roles] names of what is drawn, with their colors
   */
  show(explanation, forward = [], up = undefined, onScreen = undefined, roles = []) {
    clearTimeout(this.waiting);
    const subject = explanation ? `${explanation.population} ${explanation.id}` : "";
    const sentence =
      explanation?.gone !== undefined
        ? goneOf(explanation)
        : explanation && forward.length
          ? reasonOf(explanation, forward, up, onScreen)
          : "";
    const rest = this.at + STAYS - performance.now();
    this.write = () => {
      if (this.boxes[0].textContent !== sentence) this.at = performance.now();
      const parts = tinted(sentence, roles);
      for (const box of this.boxes) {
        box.replaceChildren(...parts.map(([text, color]) => (color ? html("b", { style: { color } }, text) : text)));
        box.hidden = !sentence;
      }
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

/** That a vehicle is gone. @param {Explanation} explanation */
const goneOf = ({ population, id, gone = 0 }) => `${population} ${id} is gone, since ${short(gone)} s.`;

const ON = /^ahead on the (.+)$/; // A place on a way, which has its color.

/**
 * A sentence in parts: names of what is drawn have its color, also where they stand for several of it.
 * @param {string} sentence
 * @param {[string, string][]} roles names, with their colors
 * @returns {[string, string][]}
 */
export function tinted(sentence, roles) {
  const plain = (/** @type {string} */ name) => name.replace(/[^\w\s-]/g, "\\$&");
  const tails = roles.flatMap(([name, color]) => (ON.exec(name) ?? []).slice(1).map((tail) => [tail, color]));
  const all = [...roles, ...tails].sort(([a], [b]) => b.length - a.length);
  if (!all.length) return [[sentence, ""]];
  const parts = sentence.split(new RegExp(`\\b((?:${all.map(([name]) => plain(name)).join("|")})(?:e?s)?)(?!\\w)`));
  return parts.map((text, k) => [text, (k % 2 && all.find(([name]) => text.startsWith(name))?.[1]) || ""]);
}

/**
 * The mode of a vehicle, its motion and its purpose, as a sentence: about "the guard", where its population says what it is.
 * @param {Explanation} explanation
 * @param {number[]} forward
 * @param {number[]} [up]
 * @param {Seen} [onScreen]
 */
export function reasonOf(explanation, forward, up = [0, 0, 1], onScreen = undefined) {
  const mode = explanation.tree ? modeOf(explanation.tree, decider(explanation)?.key) : "";
  const sentence = explanation.tree ? motionOf(grounded(explanation, up), forward, up, onScreen) : "It is not steered.";
  const subject = explanation.noun ? `the ${explanation.noun}` : "it";
  return sentence.replace("It", capital(mode ? `${mode}: ${subject}` : subject));
}

/** @param {string} words */
const capital = (words) => `${words[0].toUpperCase()}${words.slice(1)}`;

/**
 * The same about "it", without the mode: the motion that is seen, and what serves the force most as its one cause.
 * @param {Explanation} explanation
 * @param {number[]} forward
 * @param {number[]} up
 * @param {Seen} onScreen
 */
function motionOf(explanation, forward, up, onScreen) {
  const { force, full, pace } = explanation;
  const strength = Math.hypot(...force);
  const [first, second] = serving(explanation);
  const rests = pace !== null && pace < RESTING;
  if (!(strength > QUIET * full)) {
    if (rests) return "It rests.";
    if (second) return `It goes straight on: the forces ${purpose(first)} and ${purpose(second)} cancel out.`;
    return `It goes straight on: no force is needed now ${purpose(decider(explanation))}.`.replace(" .", ".");
  }
  const effect = effectOf(force, explanation);
  const does = rests
    ? muchOf(startOf(force, forward, up), strength / full, true)
    : changesOf(effect, explanation, forward, up, onScreen)
        .map((each) => muchOf(each.does, dot(force, each.along) / full, false))
        .join(" and ") || "is pushed forward";
  const speeds = Math.hypot(...effect) < SIDEWAYS * strength; // Most of the force would make it faster.
  const pushed = does === "is pushed forward" ? ", but is at its top speed" : speeds ? ", at its top speed" : "";
  const more = rests ? "" : facing(explanation, forward) + pushed;
  const why = isOfOne(explanation, first) ? purpose(first).replace("its neighbors", "its neighbor") : purpose(first);
  return `It ${does} ${why}${more}.`.replace(/ ([.,])/, "$1");
}

/** Whether a single neighbor counts for a behavior. @param {Explanation} explanation @param {WhyNode | undefined} node */
const isOfOne = ({ elements = [] }, node) =>
  elements.some(({ of, says, count }) => of === node?.key && says === "neighbor" && count === 1);

/**
 * That a vehicle faces something else than where it goes, and what that is.
 * @param {Explanation} explanation
 * @param {number[]} forward
 */
function facing(explanation, forward) {
  const face = faceOf(explanation, forward);
  return face ? `, facing ${(face.purpose ?? "").slice(FACE.length)}` : "";
}

/**
 * What turns a vehicle to something else than where it goes.
 * @param {Explanation} explanation
 * @param {number[]} forward
 */
export function faceOf({ tree, velocity, pace }, forward) {
  const askew = velocity && pace !== null && pace > RESTING && cosine(velocity, forward) < ASKEW;
  const turns = (/** @type {WhyNode} */ { purpose = "", evaluated }) => evaluated && purpose.startsWith(FACE);
  return askew && tree ? walk(tree).find(turns) : undefined;
}

/**
 * A motion, and how much of it there is.
 * @param {string} motion
 * @param {number} share of a large force
 * @param {boolean} rests
 */
function muchOf(motion, share, rests) {
  if (share < BARELY) return rests ? "rests" : `${motion} very slightly`;
  if (share < LITTLE) return `${motion} ${rests ? "slowly" : "slightly"}`;
  return share > HARD ? motion.replace(/^turns|^speeds up|^brakes/, (does) => `${does} ${STRONGLY[does]}`) : motion;
}

/** @type {Record<string, string>} */
const STRONGLY = { turns: "sharply", "speeds up": "quickly", brakes: "hard" };

/**
 * How a vehicle begins to move.
 * @param {number[]} force
 * @param {number[]} forward
 * @param {number[]} up
 */
function startOf(force, forward, up) {
  const [ahead, side] = partsOf(force, forward, up);
  if (force.length === 2 && Math.abs(side) > ALONG) return `sets off to the ${side > 0 ? "left" : "right"}`;
  return ahead < 0 ? "sets off backward" : "sets off";
}

/**
 * How a force changes the motion of a vehicle, and the unit vectors along which it does, as it is seen. In space, left and right
 * of one that banks are none to those who watch it: what flies turns to a side that is the same over the ground and in the picture.
 * @param {number[]} force
 * @param {Explanation} explanation
 * @param {number[]} forward
 * @param {number[]} up
 * @param {Seen} onScreen
 */
function changesOf(force, { velocity, pace, on_ground }, forward, up, onScreen) {
  const way = unit(velocity && Math.hypot(...velocity) > 0 ? velocity : forward);
  const turn = unit(plus(force, way, -dot(force, way)));
  const flies = force.length === 3 && !on_ground;
  const [ahead, side, rise] = partsOf(force, way, flies ? [0, 0, 1] : up);
  const fast = pace !== null && pace > FAST;
  const changes = [];
  if (ahead > ALONG && !fast) changes.push({ does: "speeds up", along: way });
  if (ahead < -ALONG) changes.push({ does: "brakes", along: way.map((each) => -each) });
  const across = flies ? Math.sqrt(Math.max(1 - ahead ** 2 - rise ** 2, 0)) : Math.abs(side);
  const lift = flies && Math.abs(rise) > Math.max(ALONG, across) ? liftOf(rise, way, force) : "";
  if (lift && !(onScreen && onScreen(turn)[1] * rise < 0)) changes.push({ does: lift, along: turn });
  else if (Math.max(across, flies ? Math.abs(rise) : 0) > ALONG) {
    const shown = onScreen ? sideOf(onScreen(way), onScreen(turn)) : 0;
    const left = flies ? (shown * side > 0 ? side : 0) : shown || side; // Of what flies, where both agree.
    changes.push({ does: `turns${left ? (left > 0 ? " left" : " right") : ""}`, along: turn });
  }
  return changes;
}

/**
 * A turn of a flight up or down; "" of a dive or a climb that becomes less steep by a force along it.
 * @param {number} rise
 * @param {number[]} way
 * @param {number[]} force
 */
function liftOf(rise, way, force) {
  if (rise > 0 && way[2] < -STEEP) return "pulls out of its dive";
  if (rise < 0 && way[2] > STEEP) return "levels off";
  return rise * force[2] > 0 ? `turns ${rise > 0 ? "upward" : "downward"}` : "";
}

/**
 * The sine of the angle from one vector in the picture to another, positive to the left; 0 where the picture tells no side.
 * @param {number[]} from
 * @param {number[]} to
 */
function sideOf(from, to) {
  const sine = cross([...unit(from), 0], [...unit(to), 0])[2];
  return Math.min(Math.hypot(...from), Math.hypot(...to)) > TOWARD && Math.abs(sine) > SIDE ? sine : 0;
}

/**
 * The cosines of a vector with what is ahead, to the left and above.
 * @param {number[]} vector
 * @param {number[]} ahead
 * @param {number[]} up not along it
 */
export function partsOf(vector, ahead, up) {
  const left = vector.length === 2 ? [-ahead[1], ahead[0]] : cross(up, ahead);
  const over = vector.length === 2 ? [0, 0] : cross(ahead, left);
  const size = Math.hypot(...vector) || 1;
  return [ahead, left, over].map((axis) => dot(vector, axis) / size / (Math.hypot(...axis) || 1));
}

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

/** The purpose of a behavior, with its "to"; its name where only that is known. @param {WhyNode | undefined} node */
const purpose = (node) => {
  const { purpose: words = "", label } = node ?? {};
  return words.startsWith(BECAUSE) ? words : words ? `to ${words}` : node ? `as ${label} says` : "";
};
