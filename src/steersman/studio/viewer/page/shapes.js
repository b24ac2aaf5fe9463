// Shapes of bodies: triangles of size 1 in (forward, side, up), three corners each with a normal. Those of vehicles are
// described in Python, for pictures on paper have the same.

import { cross, plus, unit } from "./linear.js";

/** @typedef {number[]} Point */

const BENDS = 0.7; // The cosine of the sharpest angle between faces that looks smooth.

/**
 * A flat outline as a fan of triangles; its normal is zero: light does not change it.
 * @param {Point[]} outline
 */
function fan(outline) {
  const [first, ...rest] = outline;
  const triangles = rest.slice(1).map((corner, k) => [first, rest[k], corner]);
  return new Float32Array(triangles.flatMap((corners) => corners.flatMap(([x, y]) => [x, y, 0, 0, 0, 0])));
}

/** A ball of diameter 1: an octahedron whose triangles are divided. */
function ball() {
  /** @type {Point[][]} */
  let triangles = [];
  for (const x of [-1, 1]) {
    for (const y of [-1, 1]) {
      for (const z of [-1, 1]) {
        const corners = [
          [x, 0, 0],
          [0, y, 0],
          [0, 0, z],
        ];
        triangles.push(x * y * z > 0 ? corners : corners.reverse());
      }
    }
  }
  for (let k = 0; k < 3; k++) {
    triangles = triangles.flatMap(([a, b, c]) => {
      const [ab, bc, ca] = [unit(plus(a, b)), unit(plus(b, c)), unit(plus(c, a))];
      return [
        [a, ab, ca],
        [ab, b, bc],
        [ca, bc, c],
        [ab, bc, ca],
      ];
    });
  }
  return new Float32Array(triangles.flatMap((corners) => corners.flatMap((p) => [...p.map((x) => x / 2), ...p])));
}

/**
 * Corners of the triangles of a glyph, as Python describes it, each with a normal, which is longer by the tint.
 * @param {Float32Array} numbers ten a triangle: its corners in (forward, side, up), and its tint
 * @param {boolean} round whether it is smooth where it bends softly
 */
export function glyph(numbers, round) {
  const corners = numbers.filter((_, k) => k % 10 < 9);
  const normals = normalsOf(corners, round ? BENDS : 0.9999);
  const each = Array.from({ length: corners.length / 3 }, (_, k) => {
    const normal = Array.from(normals.subarray(3 * k, 3 * k + 3), (x) => (1 + numbers[10 * Math.floor(k / 3) + 9]) * x);
    return [...corners.subarray(3 * k, 3 * k + 3), ...normal];
  });
  return new Float32Array(each.flat());
}

/**
 * Normals at the corners of triangles: smooth where they bend softly, sharp at edges.
 * @param {Float32Array} triangles
 * @param {number} [least] the cosine of the angle between two that look smooth
 */
export function normalsOf(triangles, least = BENDS) {
  const count = triangles.length / 9;
  /** @type {Map<string, number[]>} */
  const around = new Map();
  const faces = [];
  const keys = [];
  for (let t = 0; t < count; t++) {
    const corners = [0, 1, 2].map((k) => triangles.subarray(9 * t + 3 * k, 9 * t + 3 * k + 3));
    faces.push(cross(plus(corners[1], corners[0], -1), plus(corners[2], corners[0], -1)));
    for (const corner of corners) {
      const key = `${Math.fround(corner[0])} ${Math.fround(corner[1])} ${Math.fround(corner[2])}`;
      keys.push(key);
      const list = around.get(key);
      if (list) list.push(t);
      else around.set(key, [t]);
    }
  }
  const normals = new Float32Array(triangles.length);
  for (let corner = 0; corner < 3 * count; corner++) {
    const own = faces[Math.floor(corner / 3)];
    const size = Math.hypot(own[0], own[1], own[2]) || 1;
    let [x, y, z] = [0, 0, 0];
    for (const t of around.get(keys[corner]) ?? []) {
      const other = faces[t];
      const dot = own[0] * other[0] + own[1] * other[1] + own[2] * other[2];
      if (dot >= least * size * Math.hypot(other[0], other[1], other[2]))
        [x, y, z] = [x + other[0], y + other[1], z + other[2]];
    }
    const length = Math.hypot(x, y, z) || 1;
    normals.set([x / length, y / length, z / length], 3 * corner);
  }
  return normals;
}

// No corner lies between the round ends of a capsule.
const ROUND = Array.from({ length: 48 }, (_, k) => [
  Math.cos(((k + 0.5) * Math.PI) / 24) / 2,
  Math.sin(((k + 0.5) * Math.PI) / 24) / 2,
]);

/** What has a diameter, in space and in the plane. */
export const BALL = ball();
export const DISC = fan(ROUND);
