// What an explanation draws, made calm: of spheres the outline that the camera sees, of many lines thin ones.

import { cross, plus, unit } from "./linear.js";

/** @typedef {import("./types.js").Element} Element */
/** Spheres of one look: their middles and radii [m]. @typedef {{look: Element, spheres: {middle: number[], radius: number}[]}} Spheres */

const GUIDE = "construction"; // What lines to neighbors mean; others are the directions of a map.
const MANY = 7; // More lines to neighbors than these are thin:
const THIN = 0.7; // their width, as a part of the usual one.
const RAYS = 3; // More lines in other directions than these are faint, too:
const FAINT = 0.35; // their density, as a part of the usual one.
const CORNERS = 72; // Of an outline.
export const ROUND = 24; // Lines of fewer points are no circles.
const SAME = 1e-2; // Circles are those of one sphere if they differ by less than this part of their radius.

/** The points of a line. @param {ArrayLike<number>} points @param {number} first @param {number} count @param {number} d */
const pointsOf = (points, first, count, d) =>
  Array.from({ length: count }, (_, k) => Array.from({ length: d }, (__, c) => points[d * (first + k) + c]));

/** @param {number[]} one @param {number[]} other */
const apart = (one, other) => Math.hypot(...one.map((each, c) => each - other[c]));

/**
 * The lines of an element, one after the other.
 * @param {Element} element
 * @param {number} d
 */
function linesOf({ points = new Float32Array(0), counts = [] }, d) {
  let first = 0;
  return counts.map((count) => {
    first += count;
    return pointsOf(points, first - count, count, d);
  });
}

/**
 * An element with some of its lines.
 * @param {Element} element
 * @param {number[][][]} lines
 * @param {number[]} rows of these lines
 * @returns {Element}
 */
function only(element, lines, rows) {
  const { color, width, counts = [] } = element;
  const own = (/** @type {Float32Array | undefined} */ values, /** @type {number} */ each) =>
    values && counts.length > 1 && values.length === each * counts.length
      ? Float32Array.from(rows.flatMap((row) => Array.from(values.subarray(each * row, each * (row + 1)))))
      : values;
  const kept = rows.map((row) => lines[row]);
  return {
    ...element,
    points: Float32Array.from(kept.flat(2)),
    counts: kept.map(({ length }) => length),
    color: own(color, 4),
    width: own(width, 1),
  };
}

/**
 * An element; of many lines from one place to others, thin ones, which are also faint if they are directions.
 * @param {Element} element
 * @param {number} d
 * @returns {Element}
 */
export function calmed(element, d) {
  const { kind, counts = [], means = GUIDE, width = new Float32Array([1]), color } = element;
  const rays = means !== GUIDE;
  if (kind !== "lines" || counts.length <= (rays ? RAYS : MANY) || counts.some((count) => count !== 2)) return element;
  const lines = linesOf(element, d);
  if (lines.some(([from, to]) => apart(from, lines[0][0]) > SAME * apart(from, to))) return element;
  const thin = { ...element, width: width.map((each) => THIN * each) };
  return rays ? { ...thin, color: color?.map((part, k) => (k % 4 === 3 ? FAINT * part : part)) } : thin;
}

/**
 * The middle and the radius of a line that is a circle; null of another one.
 * @param {number[][]} line
 */
function circle(line) {
  if (line.length < ROUND) return null;
  const round = line.slice(1);
  const middle = round.reduce((sum, each) => plus(sum, each, 1 / round.length), [0, 0, 0]);
  const radius = apart(line[0], middle);
  const closed = apart(line[0], line[line.length - 1]) < SAME * radius;
  return closed && round.every((each) => Math.abs(apart(each, middle) - radius) < SAME * radius)
    ? { middle, radius }
    : null;
}

/**
 * Elements in space, without the three circles that stand for each sphere, and these spheres.
 * @param {Element[]} elements
 * @returns {{rest: Element[], spheres: Spheres[]}}
 */
export function parted(elements) {
  /** @type {Spheres[]} */
  const found = [];
  const rest = elements.flatMap((element) => {
    if (element.kind !== "lines") return [element];
    const lines = linesOf(element, 3);
    const circles = lines.map(circle);
    const [spheres, rows] = [/** @type {Spheres["spheres"]} */ ([]), /** @type {number[]} */ ([])];
    for (let k = 0; k < lines.length; k++) {
      const [one, ...others] = circles.slice(k, k + 3);
      const alike = others.filter(
        (each) =>
          one && each && apart(one.middle, each.middle) + Math.abs(one.radius - each.radius) < SAME * one.radius,
      );
      if (one && alike.length === 2) {
        spheres.push(one);
        k += 2;
      } else rows.push(k);
    }
    if (!spheres.length) return [element];
    found.push({ look: { ...element, color: element.color?.slice(0, 4), width: element.width?.slice(0, 1) }, spheres });
    return rows.length ? [only(element, lines, rows)] : [];
  });
  return { rest, spheres: found };
}

/**
 * The outlines of spheres as an eye sees them; none of a sphere around the eye.
 * @param {Spheres[]} all
 * @param {number[]} eye
 * @returns {Element[]}
 */
export function outlines(all, eye) {
  return all.flatMap(({ look, spheres }) => {
    const rings = spheres.flatMap(({ middle, radius }) => {
      const far = apart(eye, middle);
      if (far <= radius) return [];
      const toward = unit(plus(eye, middle, -1));
      const one = unit(cross(toward, Math.abs(toward[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
      const other = cross(toward, one);
      const [at, size] = [plus(middle, toward, radius ** 2 / far), radius * Math.sqrt(1 - (radius / far) ** 2)];
      const ring = Array.from({ length: CORNERS + 1 }, (_, k) => {
        const angle = (2 * Math.PI * k) / CORNERS;
        return plus(plus(at, one, size * Math.cos(angle)), other, size * Math.sin(angle));
      });
      return [ring];
    });
    if (!rings.length) return [];
    return [{ ...look, points: Float32Array.from(rings.flat(2)), counts: rings.map(({ length }) => length) }];
  });
}
