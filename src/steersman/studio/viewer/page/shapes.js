// Shapes of bodies: triangles of size 1 in (forward, side, up), three corners each with a normal. Those of vehicles are
// described in Python, for pictures on paper have the same.

import { cross, plus, unit } from "./linear.js";

/** @typedef {number[]} Point */

/**
 * Corners with the normals of their triangles, nine and nine numbers a triangle, interleaved by corner.
 * @param {Point[][]} triangles
 */
function faceted(triangles) {
  return new Float32Array(
    triangles.flatMap((corners) => {
      const normal = unit(cross(plus(corners[1], corners[0], -1), plus(corners[2], corners[0], -1)));
      return corners.flatMap((corner) => [...corner, ...normal]);
    }),
  );
}

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
 * Corners with normals of the triangles of a glyph, as Python describes it.
 * @param {Float32Array} numbers nine a triangle, in (forward, side, up)
 */
export function glyph(numbers) {
  const corner = (/** @type {number} */ k) => Array.from(numbers.subarray(3 * k, 3 * k + 3));
  return faceted(Array.from({ length: numbers.length / 9 }, (_, t) => [0, 1, 2].map((k) => corner(3 * t + k))));
}

// No corner lies between the round ends of a capsule.
const ROUND = Array.from({ length: 48 }, (_, k) => [
  Math.cos(((k + 0.5) * Math.PI) / 24) / 2,
  Math.sin(((k + 0.5) * Math.PI) / 24) / 2,
]);

/** What has a diameter, in space and in the plane. */
export const BALL = ball();
export const DISC = fan(ROUND);
