// The grain of materials of the plane: a picture that repeats, with a kind of grain in each of its four channels.

/** Its width and height [pixels]. */
export const GRAIN = 256;

/** By color: how much of mottles, ripples, grains and scratches there is, and how dense the lines between tiles are. */
export const MATERIALS = {
  sheet: [0, 0, 0, 0, 1],
  meadow: [0.17, 0, 0.04, 0, 0],
  grass: [0.17, 0, 0.04, 0, 0],
  sand: [0.05, 0, 0.1, 0, 0],
  water: [0.03, 0.13, 0, 0, 0],
  ice: [0.03, 0, 0, 0.1, 0],
  asphalt: [0.12, 0, 0, 0, 0],
  road: [0.06, 0, 0, 0, 0],
  floor: [0.06, 0, 0, 0, 0.3],
  earth: [0.12, 0, 0.07, 0, 0],
  forest: [0.2, 0, 0.05, 0, 0],
  night: [0.14, 0, 0.03, 0, 0],
  paving: [0.07, 0, 0.02, 0, 0.55],
  snow: [0.05, 0, 0.05, 0, 0],
  steppe: [0.12, 0, 0.06, 0, 0],
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

/** Four numbers in 0..255 a pixel; each kind is about 128 where there is nothing. */
export function grains() {
  let state = 7;
  const random = () => (state = (16807 * state) % 2147483647) / 2147483647;
  const ease = (/** @type {number} */ t) => t * t * (3 - 2 * t);
  /** Soft noise of so many nodes each way, in 0..1. */
  const noise = (/** @type {number} */ n, m = n) => {
    const nodes = Float32Array.from({ length: n * m }, random);
    return (/** @type {number} */ u, /** @type {number} */ v) => {
      const i = Math.floor(u * n);
      const j = Math.floor(v * m);
      const s = ease(u * n - i);
      const low = j * n;
      const high = ((j + 1) % m) * n;
      const k = (i + 1) % n;
      const below = nodes[low + i] * (1 - s) + nodes[low + k] * s;
      const above = nodes[high + i] * (1 - s) + nodes[high + k] * s;
      return below + (above - below) * ease(v * m - j);
    };
  };
  const [broad, middle, blades, fine, swell, calm] = [
    noise(4),
    noise(12),
    noise(80, 28),
    noise(128),
    noise(3),
    noise(6),
  ];
  const wave = (/** @type {number} */ turns) => Math.sin(2 * Math.PI * turns);
  const bright = (/** @type {number} */ x) => Math.max(0, Math.min(1, x));
  const pixels = new Uint8Array(4 * GRAIN * GRAIN);
  for (let at = 0; at < GRAIN * GRAIN; at++) {
    const u = (at % GRAIN) / GRAIN;
    const v = Math.floor(at / GRAIN) / GRAIN;
    const bend = swell(u, v);
    const still = calm(u, v);
    const one = wave(3 * u + 2 * v + 0.1 * bend) * bright(3 * still - 1);
    const other = wave(2 * u - 5 * v + 0.1 * bend) * bright(2 - 3 * still);
    pixels[4 * at] = 255 * (0.5 * broad(u, v) + 0.28 * middle(u, v) + 0.22 * blades(u, v));
    pixels[4 * at + 1] = 255 * (0.42 + 0.58 * bright(4 * wave(8 * v + 1.2 * bend) - 2.9) * bright(5 * still - 2));
    pixels[4 * at + 2] = 255 * (0.65 * fine(u, v) + 0.175 * (1 + wave(7 * v + 2 * u + 1.6 * bend)));
    pixels[4 * at + 3] = 255 * (0.45 + 0.55 * bright(120 * Math.max(one, other) - 119));
  }
  return pixels;
}
