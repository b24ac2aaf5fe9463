// Vectors and matrices: plain arrays of numbers, matrices 4 x 4 column by column, as WebGL wants them.

/** @typedef {number[] | Float32Array} Vector */

/**
 * The product of two matrices.
 * @param {number[]} a
 * @param {number[]} b
 * @returns {number[]}
 */
export function product(a, b) {
  const result = new Array(16).fill(0);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) result[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return result;
}

/**
 * A point in the picture of a matrix: x and y in [-1, 1], depth, and the w that they were divided by.
 * @param {number[]} matrix
 * @param {Vector} point
 * @returns {[number, number, number, number]}
 */
export function projected(matrix, point) {
  const [x, y, z] = [point[0], point[1], point[2] ?? 0];
  const row = (/** @type {number} */ k) => matrix[k] * x + matrix[4 + k] * y + matrix[8 + k] * z + matrix[12 + k];
  const w = row(3);
  return [row(0) / w, row(1) / w, row(2) / w, w];
}

/**
 * a + t b
 * @param {Vector} a
 * @param {Vector} b
 * @param {number} [t]
 * @returns {number[]}
 */
export const plus = (a, b, t = 1) => Array.from(a, (each, k) => each + t * b[k]);

/**
 * @param {Vector} a
 * @param {Vector} b
 * @returns {number}
 */
export const dot = (a, b) => Array.from(a).reduce((sum, each, k) => sum + each * b[k], 0);

/**
 * @param {Vector} a
 * @param {Vector} b
 * @returns {number[]}
 */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/**
 * @param {Vector} a
 * @returns {number[]}
 */
export const unit = (a) => {
  const length = Math.hypot(...a) || 1;
  return Array.from(a, (each) => each / length);
};

/**
 * The cosine of the angle between two directions of any length; 0 where one has none.
 * @param {Vector} a
 * @param {Vector} b
 */
export const cosine = (a, b) => dot(unit(a), unit(b));

/**
 * A number between two bounds.
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
