// Where the arrows of an explained vehicle are: the steering leads from the tip of the velocity toward that of the desired one.

import { desiredOf } from "./acting.js";
import { clamp, cosine, cross, dot, plus, unit } from "./linear.js";
import { DESIRED, GOAL } from "./names.js";
import { tone } from "./palette.js";

/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./why.js").Explanation} Explanation */
/**
 * The picture around a vehicle: its camera, the size of a pixel of CSS there [m], the radius of the ring [pixels of CSS], and
 * the keys of the parts whose goals are drawn, where not all are.
 * @typedef {{camera: any, pixel: number, rim: number, keys?: Set<number>}} Around
 */
/**
 * How vectors are drawn: meters for each m/s and for each newton, which velocities are seen, where a force begins, and the
 * shortest that it is [m], and where it ends before the tip of the desired velocity.
 * @typedef {object} Vectors
 * @property {number} speed
 * @property {number} grow by how much that is more than usual, for the sake of a short force
 * @property {number} fit as a part of their usual length, for the sake of a goal
 * @property {number} newton
 * @property {number[] | null} velocity
 * @property {number[] | null} desired
 * @property {(force: number[]) => number[]} tail
 * @property {(force: number[]) => number} least
 * @property {(tail: number[], force: number[], end: number) => number} short
 */

const BORDER = 12; // From the tip of an arrow to the border of the picture, and the shortest arrow for its sake [pixels of CSS].
const FAST = [120, 0.26, 160]; // The velocity of a vehicle at its top speed is at least so long [pixels of CSS], this part of the smaller side, at most so long.
const SHORTEST = 45; // The longest of the vectors reaches at least so far beyond the ring [pixels of CSS],
const FITS = 0.45; // and no farther than this part of the smaller side of the picture.
const SEEN = 6; // A velocity is seen that reaches so far beyond the ring [pixels of CSS].
const APART = 28; // Tips of velocities that are closer cannot be told apart [pixels of CSS].
const LESS = 0.6; // What is drawn stays until it is below this part of these lengths.
const BESIDE = 9; // Arrows that lie in one line are so far from each other [pixels of CSS],
const ALIKE = 0.75; // The desired velocity is drawn where the force leads to it, with at least this cosine.
const BACK = -0.8; // and an arrow that goes back does with a smaller cosine.
const STUB = 36; // The shortest arrow of a force [pixels of CSS],
const SHORT = 8; // It ends so far beside the tip of the desired velocity,
const LEAN = 0.4; // of one with a smaller sine of the angle between them so far before it,
const LEFT = 0.7; // but keeps this part of its length.
const GROWS = 1.7; // For its sake all vectors are up to so many times as long,
const BARELY = [6, 12]; // but for one so short only in part, or not at all.
const BEFORE = 8; // The desired velocity ends so far before the goal [pixels of CSS] that it leads to,
const TOWARD = 0.9; // with at least this cosine;
const SHRINKS = 0.6; // but all vectors keep this part of their length, and tips that can be told apart stay so.
const WIDTHS = { velocity: 2.25, desired: 2.9 }; // Of arrows [points]: the head of the desired one is seen around that of the steering.
const EASE = 0.15; // The part of the way to another length that a picture goes.
const RISING = 0.6; // The density of the lines that show how far a velocity leads up or down.
const STEEP = 0.3; // One that points at the eye is not made longer than by this part of its length that is seen.

/**
 * @param {Explanation} explanation
 * @param {number[]} place
 * @param {Around} around
 * @param {Vectors | null} [last] what was drawn of the vehicle last
 * @param {boolean} [moving] whether velocities are drawn
 * @returns {Vectors}
 */
export function vectorsOf(explanation, place, { camera, pixel, rim, keys }, last = null, moving = true) {
  const { velocity = [], force, response = 0, fastest } = explanation;
  const now = place.map((_, c) => velocity[c] ?? 0);
  const wish = desiredOf(explanation);
  const full = Math.hypot(...force) * response;
  const reach = Math.hypot(...plus(wish, now, -1));
  const second = response * (full > reach && reach > 0 ? reach / full : 1); // A full thrust leads no farther than to it.
  const all = [now, wish, plus(now, force, second)];
  const most = Math.max(...all.map((each) => Math.hypot(...each))) || 1;
  const least = rim + SHORTEST;
  const side = Math.min(camera?.width ?? Infinity, camera?.height ?? Infinity);
  const fits = Math.max(FITS * side, least);
  const fast = clamp(FAST[1] * side, FAST[0], FAST[2]);
  const long = clamp((fast * most) / (fastest || most), least, fits) * pixel;
  const rooms = all.map((each) => within(camera, place, each));
  const ahead = unit(now);
  const turn = ((Math.hypot(...plus(force, ahead, -dot(force, ahead))) * second) / most) * (long / pixel);
  const grown = clamp(turn < BARELY[1] ? 1 + (turn - BARELY[0]) / (BARELY[1] - BARELY[0]) : STUB / turn, 1, GROWS);
  const grow = moving ? (last ? last.grow + EASE * (grown - last.grow) : grown) : 1;
  const wide = Math.min(grow * long, Math.max(fits * pixel, long));
  const usual = Math.min(wide / most, ...rooms);
  const change = plus(wish, now, -1);
  const off = plus(change, ahead, -dot(change, ahead));
  const apart = 1.1 * pixel * Math.max(APART / Math.hypot(...change), BESIDE / Math.hypot(...off));
  const goals = goalsOf(explanation, place, wish, keys).filter((far) => far > rim * pixel);
  const ends = (Math.min(...goals) - BEFORE * pixel) / Math.hypot(...wish);
  const shrunk = Math.max(ends, SHRINKS * usual, apart < usual ? apart : 0);
  const fitting = Math.min(shrunk / usual, 1);
  const fit = last ? last.fit + EASE * (fitting - last.fit) : fitting; // A goal comes and goes at once.
  const speed = Math.max(fit * usual, (least * pixel) / most);
  const size = (/** @type {number[]} */ each) => (Math.hypot(...each) * speed) / pixel;
  const moves = moving && size(now) > rim + (last?.velocity ? LESS : 1) * SEEN;
  const much = last?.desired ? LESS : 1;
  const leads = size(force) === 0 || cosine(change, force) > ALIKE; // A thrust may lead elsewhere.
  const wished = moves && leads && size(change) > much * APART && size(off) > much * BESIDE && size(wish) > rim;
  const toEye = unit(plus(camera?.eye ?? [0, 0, 1e9], place, -1));
  const tail = (/** @type {number[]} */ along) => {
    const way = unit(along);
    if (!moves) return plus(place, way, rim * pixel);
    const tip = plus(place, now, speed);
    if (dot(way, ahead) > BACK) return tip;
    const left = place.length === 2 ? [-ahead[1], ahead[0]] : unit(cross(toEye, ahead));
    return plus(tip, left, (dot(way, left) < 0 ? -BESIDE : BESIDE) * pixel);
  };
  const steep = (/** @type {number[]} */ along) => (place.length === 2 ? 1 : Math.hypot(...cross(toEye, unit(along))));
  const stub = wished ? Math.min(STUB, size(change)) : STUB; // No farther than to the desired velocity.
  const shortest = (/** @type {number[]} */ along) => (stub * pixel) / Math.max(steep(along), STEEP);
  const short = (/** @type {number[]} */ from, /** @type {number[]} */ along, /** @type {number} */ end) => {
    const gap = Math.hypot(...plus(plus(from, along, end), plus(place, wish, speed), -1)) / pixel;
    const whole = (Math.hypot(...along) * end) / pixel;
    const lean = cosine(along, wish);
    const room = SHORT / Math.max(Math.sqrt(Math.max(1 - lean ** 2, 0)), LEAN);
    return wished && gap < SHORT ? end * Math.max(1 - room / whole, LEFT) : end;
  };
  const seen = { velocity: moves ? now : null, desired: wished ? wish : null };
  return { speed, grow, fit, newton: speed * second, ...seen, tail, least: shortest, short };
}

/**
 * How far the goals are to which the desired velocity leads, marks or the ends of lines: its arrow goes no farther [m].
 * @param {Explanation} explanation
 * @param {number[]} place
 * @param {number[]} wish
 * @param {Set<number>} [keys] of the parts whose goals are drawn
 */
function goalsOf({ elements = [] }, place, wish, keys) {
  const d = place.length;
  return elements.flatMap(({ kind, means, of, detail, counts = [], position = [], points = position }) => {
    const way = plus(Array.from(points).slice(-d), place, -1);
    const seen = kind !== "texts" && means === GOAL && !detail && (of === undefined || (keys?.has(of) ?? true));
    return seen && /^2?$/.test(String(counts)) && cosine(wish, way) > TOWARD ? [Math.hypot(...way)] : [];
  });
}

/**
 * With which scale a vector from a place ends in the picture; as far as it likes where the place itself is not seen, or
 * lies so close to the border that there would be no arrow.
 * @param {any} camera
 * @param {number[]} tail
 * @param {number[]} vector
 */
export function within(camera, tail, vector) {
  if (tail.length !== 2 || !camera || !("scale" in camera)) return Infinity;
  const rooms = [camera.width, camera.height].map((size, c) => {
    const off = (tail[c] - camera.middle[c]) * Math.sign(vector[c] || 1);
    return ((size / 2 - BORDER) / camera.scale - off) / Math.abs(vector[c]);
  });
  const room = Math.min(...rooms);
  return room * Math.hypot(...vector) * camera.scale > BORDER ? room : Infinity;
}

/**
 * How far a velocity leads up or down: a dashed line as far at the same height, and from there to its tip, with a word.
 * @param {number[]} place in space
 * @param {Vectors} vectors
 * @returns {Element[]}
 */
export function rising(place, { velocity, speed }) {
  if (!velocity || place.length < 3 || !(Math.abs(velocity[2]) > STEEP * Math.hypot(...velocity))) return [];
  const tip = plus(place, velocity, speed);
  const below = [tip[0], tip[1], place[2]];
  const color = tone("velocity");
  const points = Float32Array.from([...place, ...below, ...tip]);
  const line = { color: Float32Array.from([...color, RISING]), width: Float32Array.of(1.2), dash: [3, 2.5] };
  const position = Float32Array.from(plus(below, plus(tip, below, -1), 0.5));
  return [
    { kind: "lines", layer: 8, points, counts: [3], ...line },
    { kind: "texts", layer: 9, position, words: [velocity[2] > 0 ? "up" : "down"], color: Float32Array.from(color) },
  ];
}

/** Colors without any transparency. @param {Float32Array} [color] */
const full = (color) => color?.map((part, k) => (k % 4 === 3 ? 1 : part));

/**
 * Velocities from a place, without those that are not seen.
 * @param {Element[]} elements
 * @param {number[]} place
 * @param {Vectors} vectors
 * @param {string} word of the velocity
 * @returns {Element[]}
 */
export function fitted(elements, place, { speed, velocity, desired }, word) {
  return elements.flatMap((/** @type {Element} */ each) => {
    const value = each.means === DESIRED ? desired : velocity;
    if (!value) return [];
    const tip = Float32Array.from(plus(place, value, speed));
    /** @type {Element} */
    const drawn = {
      ...each,
      ...(each.kind === "arrows"
        ? {
            tails: Float32Array.from(place),
            tips: tip,
            width: Float32Array.of(value === velocity ? WIDTHS.velocity : WIDTHS.desired),
            fixed: true,
            color: full(each.color),
          }
        : { position: tip }),
    };
    return [value === velocity && each.words ? { ...drawn, words: [word] } : drawn];
  });
}
