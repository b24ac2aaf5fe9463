// Density: how many vehicles are in a place, as tiles of the picture, for crowds of which single ones cannot be seen.

/** @typedef {import("./types.js").Element} Element */

const TILE = 8; // Edge of a tile [pixels of CSS].
const LEVELS = 12; // Colors, from few to many.
const FEWEST = 0.02; // Of the densest tile; below it nothing is shown.

/**
 * How many points are in each tile, spread over the tiles beside it.
 * @param {Iterable<Float32Array>} places two numbers a point
 * @param {{low: number[], mesh: number, across: number, up: number}} tiles
 * @returns {Float32Array} row by row
 */
export function counted(places, { low, mesh, across, up }) {
  let counts = new Float32Array(across * up);
  for (const each of places) {
    for (let k = 0; k + 1 < each.length; k += 2) {
      const [x, y] = [Math.floor((each[k] - low[0]) / mesh), Math.floor((each[k + 1] - low[1]) / mesh)];
      if (x >= 0 && x < across && y >= 0 && y < up) counts[across * y + x] += 1;
    }
  }
  for (const [step, size] of [
    [1, across],
    [across, up],
  ]) {
    const wide = new Float32Array(counts.length);
    counts.forEach((count, k) => {
      const place = Math.floor(k / step) % size;
      wide[k] += 0.5 * count;
      wide[place > 0 ? k - step : k] += 0.25 * count;
      wide[place < size - 1 ? k + step : k] += 0.25 * count;
    });
    counts = wide;
  }
  return counts;
}

/**
 * The density in what a camera sees, as triangles of a few colors.
 * @param {import("./stage.js").Stage} stage in the plane
 * @returns {Element[]}
 */
export function density(stage) {
  const camera = /** @type {import("./camera.js").FlatCamera} */ (stage.camera);
  const mesh = TILE / camera.scale;
  const half = [camera.width / 2 / camera.scale, camera.height / 2 / camera.scale];
  // Tiles stay where they are when the picture is moved.
  const low = half.map((each, c) => Math.floor((camera.middle[c] - each) / mesh) * mesh);
  const [across, up] = half.map((each) => Math.ceil((2 * each) / mesh) + 1);
  const bodies = Object.values(stage.after?.populations ?? {});
  const counts = counted(
    bodies.map(({ position }) => position),
    { low, mesh, across, up },
  );
  const most = counts.reduce((size, each) => Math.max(size, each), 0);
  /** @type {number[][]} */
  const corners = Array.from({ length: LEVELS }, () => []);
  counts.forEach((count, k) => {
    if (count <= FEWEST * most) return;
    const [x, y] = [low[0] + mesh * (k % across), low[1] + mesh * Math.floor(k / across)];
    const [right, top] = [x + mesh, y + mesh];
    const level = Math.min(Math.floor(LEVELS * Math.sqrt(count / most)), LEVELS - 1);
    corners[level].push(x, y, right, y, right, top, x, y, right, top, x, top);
  });
  return corners.flatMap((numbers, level) => {
    if (!numbers.length) return [];
    const face = stage.shade("crowd", (level + 0.5) / LEVELS);
    const triangles = new Array(numbers.length / 6).fill(3);
    return [
      { kind: "areas", layer: 4, points: new Float32Array(numbers), counts: triangles, face, opacity: 1, shown: true },
    ];
  });
}
