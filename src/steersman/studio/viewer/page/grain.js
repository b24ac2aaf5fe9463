// The grain of materials of the plane: of each a picture that repeats, by which its color is lighter or darker at a place.

import { clamp } from "./linear.js";

/** Its width and height [pixels]. */
export const GRAIN = 512;

/**
 * By color, how its grain is made: `mottle`, how patchy it is, more or less so in red, green and blue (`hue`); `relief`, how
 * much light falls on its hills; `ripples`, `net` (of light in water), `dust` and `streaks`, how much there is of each; how
 * many `blades`, `tufts`, `flowers`, `bits`, `cracks` and `scratches` lie there; and `lines`, how dense those between slabs are.
 * @typedef {Partial<Record<"mottle" | "relief" | "ripples" | "net" | "dust" | "streaks" | "blades" | "tufts" | "flowers" | "bits" | "cracks" | "scratches" | "lines", number>> & {hue?: number[]}} Recipe
 */
const GREEN = [1.3, 1, 0.5];
const LAWN = { mottle: 0.3, relief: 0.09, dust: 0.05, blades: 3200, hue: GREEN };

/** @type {Record<string, Recipe>} */
export const MATERIALS = {
  sheet: { lines: 1 },
  meadow: { ...LAWN, flowers: 34, tufts: 40 },
  grass: LAWN,
  sand: { mottle: 0.12, relief: 0.12, ripples: 0.1, dust: 0.1, bits: 26 },
  water: { mottle: 0.24, net: 0.15, relief: 0.12, hue: [1.5, 1, 0.6] },
  ice: { mottle: 0.1, relief: 0.05, scratches: 70, cracks: 3, hue: [1.4, 1, 0.7] },
  asphalt: { mottle: 0.1, dust: 0.2, cracks: 7 },
  road: { mottle: 0.08, dust: 0.12, bits: 12 },
  floor: { mottle: 0.08, streaks: 0.14, lines: 0.2 },
  earth: { mottle: 0.12, relief: 0.13, ripples: 0.05, dust: 0.12, bits: 150, cracks: 5, tufts: 14 },
  forest: { mottle: 0.34, relief: 0.14, dust: 0.08, blades: 1500, bits: 170, tufts: 60, hue: GREEN },
  night: { mottle: 0.24, relief: 0.12, dust: 0.04, blades: 1800, tufts: 50 },
  paving: { mottle: 0.1, dust: 0.1, cracks: 4, lines: 0.35 },
  snow: { mottle: 0.08, relief: 0.2, dust: 0.05, hue: [1.4, 1, 0.5] },
  steppe: { mottle: 0.22, relief: 0.1, dust: 0.1, blades: 700, tufts: 130, bits: 40, hue: [0.8, 1, 1.3] },
};

const TILE = 300; // It repeats after so many pixels of CSS, or up to twice as many,
const FADES = 0.4; // where one of half the size takes its place in the last part of the way there.

/**
 * How often the grain repeats at a scale [1/m], and how far one that repeats twice as often shows through it (0 to 1): as the
 * picture comes nearer, no grain is exchanged for another one at once.
 * @param {number} scale pixels of CSS a meter
 * @returns {[number, number]}
 */
export function tiling(scale) {
  const sizes = Math.log2(TILE / scale);
  const whole = Math.ceil(sizes);
  return [2 ** -whole, Math.max(0, 1 + (whole - sizes - 1) / FADES)];
}

/** @param {number} x */
const bright = (x) => clamp(x, 0, 1);
/** @param {number} turns */
const wave = (turns) => Math.sin(2 * Math.PI * turns);

/**
 * Four numbers in 0..255 a pixel: how light red, green and blue are, about 128 where the color is as it is, and broad patches.
 * @param {string} name of the material
 * @param {number} [size] pixels
 */
export function grains(name, size = GRAIN) {
  const {
    mottle = 0,
    relief = 0,
    ripples = 0,
    net = 0,
    dust = 0,
    streaks = 0,
    hue = [1, 1, 1],
    ...lie
  } = MATERIALS[name];
  let state = 7;
  const random = () => (state = (16807 * state) % 2147483647) / 2147483647;
  const between = (/** @type {number} */ low, /** @type {number} */ high) => low + (high - low) * random();
  const places = Array.from({ length: size }, (_, k) => k / size);
  /** Between which of so many nodes each pixel of a row lies, and how near to the next one. @param {number} n */
  const nodesOf = (n) =>
    places.map((place) => {
      const t = (place * n) % 1;
      return [Math.floor(place * n), (Math.floor(place * n) + 1) % n, t * t * (3 - 2 * t)];
    });
  /** Soft noise of so many nodes each way, in 0..1; none where there is not `much` of it. */
  const noise = (/** @type {number} */ n, m = n, much = 1) => {
    const made = new Float32Array(size * size);
    if (!much) return made;
    const nodes = Float32Array.from({ length: n * m }, random);
    const [columns, rows] = [nodesOf(n), nodesOf(m)];
    for (let j = 0, at = 0; j < size; j++) {
      const [low, high, t] = rows[j];
      for (let i = 0; i < size; i++) {
        const [one, next, s] = columns[i];
        const below = nodes[low * n + one] * (1 - s) + nodes[low * n + next] * s;
        const above = nodes[high * n + one] * (1 - s) + nodes[high * n + next] * s;
        made[at++] = below + (above - below) * t;
      }
    }
    return made;
  };
  const [broad, middle, small] = [4, 11, 29].map((n) => noise(n));
  const [other, swell, fine] = [noise(11, 11, net), noise(3, 3, net + ripples), noise(size / 2, size / 2, dust)];
  const wood = noise(5, 96, streaks);
  /** The pixel at a place. @param {number} u @param {number} v */
  const pixelAt = (u, v) => ((Math.round(v * size) + size) % size) * size + ((Math.round(u * size) + size) % size);
  const hills = broad.map((each, at) => 0.6 * each + 0.28 * middle[at] + 0.12 * small[at]);
  const light = new Float32Array(3 * size * size);
  const pixels = new Uint8Array(4 * size * size);
  for (let j = 0, at = 0; j < size; j++)
    for (let i = 0; i < size; i++, at++) {
      const [u, v, high] = [i / size, j / size, hills[at]];
      const calm = broad[i * size + j];
      let all = dust * (fine[at] - 0.5) + streaks * (wood[at] - 0.5);
      if (relief) all += 4 * relief * (high - hills[pixelAt(u - 0.018, v + 0.022)]); // Light comes from there.
      if (ripples)
        all += ripples * wave(11 * v + 2 * u + 1.8 * swell[at] + 0.4 * middle[at]) * bright(2.4 * calm - 0.6);
      if (net) {
        const there = pixelAt(u + 0.05 * wave(swell[at]), v + 0.04 * wave(broad[at]));
        all += net * (bright(1 - 6 * Math.abs(middle[there] - other[there])) * bright(2.6 * calm - 0.7) - 0.2);
      }
      for (let c = 0; c < 3; c++) light[3 * at + c] = all + mottle * hue[c] * (high - 0.5);
      pixels[4 * at + 3] = 255 * bright(1.04 * broad[at] + 0.56 * middle[at] - 0.3);
    }
  /** A soft dot [pixels], that makes red, green and blue so much lighter or darker. */
  const dab = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ r,
    /** @type {number[]} */ color,
    much = 1,
  ) => {
    for (let j = Math.floor(y - r); j <= y + r + 1; j++)
      for (let i = Math.floor(x - r); i <= x + r + 1; i++) {
        const cover = much * bright(r + 0.5 - Math.sqrt((i - x) ** 2 + (j - y) ** 2));
        if (!cover) continue;
        const at = 3 * (((j + size) % size) * size + ((i + size) % size));
        for (let c = 0; c < 3; c++) light[at + c] += cover * (color[c] - light[at + c]);
      }
  };
  /** Something at so many places, the same number in each part of a larger picture. */
  const spread = (/** @type {number | undefined} */ count, /** @type {(x: number, y: number) => void} */ put) => {
    for (let k = 0; k < (count ?? 0) * (size / GRAIN) ** 2; k++) put(size * random(), size * random());
  };
  const blade = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ long,
    /** @type {number} */ lean,
  ) => {
    const shade = between(-0.2, 0.2);
    const color = hue.map((each) => each * shade);
    for (let t = 0; t <= 1; t += 1 / long) dab(x + lean * t * t * long, y + t * long, 0.9 - 0.6 * t, color, 0.6);
  };
  spread(lie.blades, (x, y) => blade(x, y, between(4, 9), between(-0.6, 0.6)));
  spread(lie.tufts, (x, y) => {
    dab(x + 2, y - 1, 4, [-0.16, -0.13, -0.13], 0.22);
    for (let k = -4; k <= 4; k++) blade(x + 0.5 * k, y, between(7, 13), 0.16 * k);
  });
  spread(lie.bits, (x, y) => {
    const [r, shade] = [between(0.8, 2.8), between(-0.1, 0.06)];
    dab(x + 0.6 * r, y - 0.7 * r, r, [-0.28, -0.28, -0.26], 0.6);
    dab(x, y, r, [shade, shade, shade]);
    dab(x - 0.3 * r, y + 0.4 * r, 0.45 * r, [0.22, 0.22, 0.2], 0.8);
  });
  spread(lie.flowers, (x, y) => {
    const petal = random() < 0.6 ? [0.45, 0.3, 0.45] : [0.45, 0.2, -0.3];
    dab(x + 1.5, y - 2, 2.5, [-0.2, -0.2, -0.2], 0.5);
    for (let k = 0; k < 5; k++) dab(x + 1.9 * Math.cos(1.26 * k), y + 1.9 * Math.sin(1.26 * k), 1.1, petal);
    dab(x, y, 0.9, [0.4, 0.1, -0.4]);
  });
  const line = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ long,
    /** @type {number} */ rough,
    /** @type {number} */ shade,
  ) => {
    let way = 2 * Math.PI * random();
    const turn = between(-0.006, 0.006);
    for (let k = 0; k < long; k++) {
      way += turn + rough * (random() - 0.5);
      [x, y] = [(x + Math.cos(way) + size) % size, (y + Math.sin(way) + size) % size];
      dab(x, y, 0.3, [shade, shade, shade], 0.7);
      if (shade < 0) dab(x + 0.7, y - 0.9, 0.3, [0.12, 0.12, 0.12], 0.4);
    }
  };
  spread(lie.cracks, (x, y) => line(x, y, between(40, 130), 0.9, -0.24));
  spread(lie.scratches, (x, y) => line(x, y, between(30, 190), 0, between(0.08, 0.3)));
  for (let at = 0; at < size * size; at++)
    for (let c = 0; c < 3; c++) pixels[4 * at + c] = 255 * bright(0.5 + light[3 * at + c]);
  return pixels;
}
