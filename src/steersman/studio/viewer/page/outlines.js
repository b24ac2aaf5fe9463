// What an explanation draws, made calm: of spheres the outline that the camera sees, of many lines thin ones.

import { clamp, cross, dot, plus, unit } from "./linear.js";
import { GOAL } from "./names.js";

/** @typedef {import("./types.js").Element} Element */
/** Spheres of one look: their middles and radii [m]. @typedef {{look: Element, spheres: {middle: number[], radius: number}[]}} Spheres */

export const GUIDE = "construction"; // What lines to neighbors, and helper lines, mean; others are the directions of a map.
export const RANGE = "how far it looks"; // What areas mean that are often as large as the picture:
const AIRY = { range: 0.22, other: 0.6 }; // their density, and that of other areas, as parts of the usual one.
export const CHOSEN = "neighbors and obstacles that count"; // Of rings with this meaning, more
const MANY_RINGS = 4; // than so many are thin, too.
const BEYOND = { density: 0.5, dash: [3, 3] }; // What is so dense, and so dashed, of lines to goals beyond an obstacle [points].
export const BODY = 1.6; // The layer of obstacles in the plane,
export const PLACE = 0.6; // that of regions,
const WALLS = [1.62, 1.72]; // and those of walls.
const MANY = 7; // More lines to neighbors than these are thin:
const THIN = 0.7; // their width, as a part of the usual one,
const RAYS = 3; // More lines in other directions than these are faint, too:
const PALE = 0.2; // and their density.
const FAINT = 0.35; // their density, as a part of the usual one.
const MOST_EDGES = 20000; // Where obstacles have more of them, lines to goals stay as they are.
const HALF = 0.5; // The density of long lines that are no rings, such as a way through a region.
const WALL = 3; // The width of an edge that counts [points].
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
export function linesOf({ points = new Float32Array(0), counts = [] }, d) {
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
export function only(element, lines, rows) {
  const { color, width, counts = [] } = element;
  const own = (/** @type {Float32Array | undefined} */ values, /** @type {number} */ each) =>
    values && counts.length > 1 && values.length === each * counts.length
      ? Float32Array.from(rows.flatMap((row) => Array.from(values.subarray(each * row, each * (row + 1)))))
      : values;
  const chosen = rows.map((row) => lines[row]);
  return {
    ...element,
    points: Float32Array.from(chosen.flat(2)),
    counts: chosen.map(({ length }) => length),
    color: own(color, 4),
    width: own(width, 1),
  };
}

/**
 * An element; of many rings around neighbors, and lines from one place to others, thin ones, which are also faint if they are
 * directions; airy faces, most of all of ranges.
 * @param {Element} element
 * @param {number} d
 * @returns {Element}
 */
export function calmed(element, d) {
  const { kind, counts = [], means = GUIDE, opacity = 1, width = new Float32Array([1]), color } = element;
  if (kind === "areas" && opacity < 1)
    return { ...element, opacity: AIRY[means === RANGE ? "range" : "other"] * opacity };
  if (kind === "lines" && means === GUIDE && isWay(element, d)) return { ...element, color: fainter(color, HALF) };
  if (means === CHOSEN && counts.length > MANY_RINGS * (d === 3 ? 3 : 1))
    return { ...element, width: width.map((each) => THIN * each), color: fainter(color, PALE) };
  const rays = means !== GUIDE;
  if (kind !== "lines" || counts.length <= (rays ? RAYS : MANY) || counts.some((count) => count !== 2)) return element;
  const lines = linesOf(element, d);
  if (lines.some(([from, to]) => apart(from, lines[0][0]) > SAME * apart(from, to))) return element;
  const thin = { ...element, width: width.map((each) => THIN * each) };
  return rays ? { ...thin, color: fainter(color, FAINT) } : thin;
}

/** Whether lines are long, and not all of them rings. @param {Element} element @param {number} d */
const isWay = (element, d) =>
  (element.counts ?? []).some((count) => count > ROUND) &&
  !linesOf(element, d).every((line) => apart(line[0], line[line.length - 1]) === 0);

/** Colors that are so much less dense. @param {Float32Array | undefined} color @param {number} density */
export const fainter = (color, density) => color?.map((part, k) => (k % 4 === 3 ? density * part : part));

/** Whether an element is a wall of the plane. @param {Element} element */
export const isWall = ({ kind, layer }) => kind === "lines" && layer > WALLS[0] && layer < WALLS[1];

/**
 * The edges of obstacles in the plane, with both ends each; none where there are more than MOST_EDGES.
 * @param {Element[]} scenery
 * @param {number[]} [layers] of the areas that count
 * @returns {number[][][]}
 */
export function edgesOf(scenery, layers = [BODY]) {
  const isBody = (/** @type {Element} */ { kind, layer }) => kind === "areas" && layers.includes(layer);
  const stands = scenery.filter((element) => isBody(element) || isWall(element));
  const corners = stands.flatMap(({ counts = [] }) => counts).reduce((sum, count) => sum + count, 0);
  if (corners > MOST_EDGES) return [];
  return stands.flatMap((element) =>
    linesOf(element, 2).flatMap((line) =>
      (isBody(element) ? [...line, line[0]] : line).slice(1).map((to, k) => [line[k], to]),
    ),
  );
}

/**
 * An element; of lines to goals what is before the first obstacle, and pale and dashed what is beyond.
 * @param {Element} element
 * @param {number[]} own place of the vehicle
 * @param {number[][][]} edges of obstacles
 * @returns {Element[]}
 */
export function barred(element, own, edges) {
  const { kind, means, counts = [], color } = element;
  if (kind !== "lines" || means !== GOAL || counts.length > RAYS || counts.some((count) => count !== 2))
    return [element];
  const [before, beyond] = [/** @type {number[][][]} */ ([]), /** @type {number[][][]} */ ([])];
  for (const line of linesOf(element, 2)) {
    const [from, to] = apart(line[0], own) > apart(line[1], own) ? [...line].reverse() : line;
    const part = edges.reduce((least, [a, b]) => Math.min(least, meeting(from, to, a, b)), 1);
    const at = plus(from, plus(to, from, -1), part);
    before.push([from, at]);
    if (part < 1) beyond.push([at, to]);
  }
  if (!beyond.length) return [element];
  const made = (/** @type {number[][][]} */ lines, /** @type {number} */ density) => ({
    ...element,
    points: Float32Array.from(lines.flat(2)),
    counts: lines.map(() => 2),
    color: fainter(color?.slice(0, 4), density),
  });
  return [made(before, 1), { ...made(beyond, BEYOND.density), dash: BEYOND.dash }];
}

/**
 * The edges of walls and regions on which marks of what counts lie, in their color.
 * @param {Element[]} elements
 * @param {number[][][]} edges
 * @param {number} near what is nearer to an edge is on it [m]
 * @returns {Element[]}
 */
export const faced = (elements, edges, near) =>
  elements.flatMap(({ kind, means, position = [], color }) => {
    if (kind !== "marks" || means !== CHOSEN || !color) return [];
    const on = edges.filter(([a, b]) => {
      const way = plus(b, a, -1);
      const off = plus(Array.from(position).slice(0, 2), a, -1);
      return apart(off, plus([0, 0], way, clamp(dot(off, way) / dot(way, way), 0, 1))) < near;
    });
    const look = { color: Float32Array.of(...Array.from(color).slice(0, 3), 1), width: Float32Array.of(WALL) };
    return on.length
      ? [{ kind: "lines", layer: 5, means: RANGE, ...look, points: Float32Array.from(on.flat(2)), counts: on.map(() => 2) }] // prettier-ignore
      : [];
  });

/**
 * The part of a way at which it crosses an edge; infinite where it does not.
 * @param {number[]} from
 * @param {number[]} to
 * @param {number[]} a
 * @param {number[]} b
 */
function meeting(from, to, a, b) {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const [u, v] = [b[0] - a[0], b[1] - a[1]];
  const area = x * v - y * u;
  const [p, q] = [a[0] - from[0], a[1] - from[1]];
  const [along, across] = [(p * v - q * u) / area, (p * y - q * x) / area];
  return along >= 0 && across >= 0 && across <= 1 ? along : Infinity;
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
  const balls = [];
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
    balls.push({ look: { ...element, color: element.color?.slice(0, 4), width: element.width?.slice(0, 1) }, spheres });
    return rows.length ? [only(element, lines, rows)] : [];
  });
  return { rest, spheres: balls };
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
