// Colors that mean something: of behaviors and modes by number, and a ramp from little to much. Shaders have them from here.

/**
 * A color for CSS.
 * @param {number[]} color
 */
export const css = (color) => `rgb(${color.map((part) => Math.round(255 * part)).join(" ")})`;

/** Colors by number. */
export const COLORS = [
  [0.84, 0.37, 0],
  [0, 0.45, 0.7],
  [0, 0.62, 0.45],
  [0.56, 0.27, 0.52],
  [0.9, 0.62, 0],
  [0.23, 0.62, 0.84],
  [0.75, 0.69, 0],
  [0.8, 0.35, 0.55],
];

/** From little to much. */
export const RAMP = [
  [0.16, 0.22, 0.55],
  [0.13, 0.52, 0.68],
  [0.25, 0.7, 0.47],
  [0.93, 0.74, 0.18],
  [0.85, 0.27, 0.12],
];

/** What is taken, or can be. */
export const ACCENT = [0.95, 0.5, 0.05];

/** The color of a number. @param {number} k */
export const colorOf = (k) => COLORS[k % COLORS.length];

/** The ramp for CSS. */
export const rampCss = () => `linear-gradient(to right, ${RAMP.map(css).join(", ")})`;
