// Shapes of bodies: triangles of size 1 in (forward, side, up), three corners each with a normal. Those of vehicles are
// described in Python, for pictures on paper have the same.

import { cross, plus, unit } from "./linear.js";

/** @typedef {number[]} Point */

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
 */
export function glyph(numbers) {
  const triangles = Array.from({ length: numbers.length / 10 }, (_, t) => {
    const [a, b, c] = [0, 3, 6].map((k) => Array.from(numbers.subarray(10 * t + k, 10 * t + k + 3)));
    const normal = unit(cross(plus(b, a, -1), plus(c, a, -1))).map((x) => (1 + numbers[10 * t + 9]) * x);
    return [a, b, c].flatMap((corner) => [...corner, ...normal]);
  });
  return new Float32Array(triangles.flat());
}

// No corner lies between the round ends of a capsule.
const ROUND = Array.from({ length: 48 }, (_, k) => [
  Math.cos(((k + 0.5) * Math.PI) / 24) / 2,
  Math.sin(((k + 0.5) * Math.PI) / 24) / 2,
]);

/** What has a diameter, in space and in the plane. */
export const BALL = ball();
export const DISC = fan(ROUND);
