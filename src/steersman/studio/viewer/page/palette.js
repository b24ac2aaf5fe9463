// Colors that mean something. They stand in drawing/palette.py; here is how they are found, on light and on dark paper.

import { CROWD, POPULATIONS, RAMP, TONES, WHEEL } from "./theme.js";

const MARKED = 3; // The least contrast of a mark with its paper.

/** @param {string} code @returns {number[]} */
const numbers = (code) => [1, 3, 5].map((k) => parseInt(code.slice(k, k + 2), 16) / 255);
/** @param {ArrayLike<number>} color */
const code = (color) =>
  `#${[0, 1, 2]
    .map((k) =>
      Math.round(255 * color[k])
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`.toUpperCase();

/**
 * A color of the palette, as it is on light paper.
 * @param {string} name
 */
export const tone = (name) => numbers(TONES[name][0]);

/** What lies on dark paper, by what lies on light paper in its place. */
const DARK = new Map(Object.values(TONES).map(([light, dark]) => [light, numbers(dark)]));

/** @param {number[]} color */
const luminance = (color) => {
  const [red, green, blue] = color.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/**
 * A color on dark paper: that of the palette; one that the palette does not have is lightened until it can be seen.
 * @param {ArrayLike<number>} light
 * @returns {number[]}
 */
export function dusk(light) {
  const key = code(light);
  let dark = DARK.get(key);
  if (!dark) {
    const paper = luminance(numbers(TONES.sheet[1])) + 0.05;
    dark = numbers(key);
    while (luminance(dark) + 0.05 < MARKED * paper) dark = dark.map((part) => part + 0.1 * (1 - part));
    DARK.set(key, dark);
  }
  return dark;
}

/**
 * Colors one after the other, with opacities between them where there are four numbers each, on dark paper.
 * @param {ArrayLike<number>} colors
 * @param {number} each numbers each
 */
export function dusks(colors, each) {
  const dark = Float32Array.from(colors);
  for (let at = 0; at + 3 <= dark.length; at += each) dark.set(dusk(dark.subarray(at, at + 3)), at);
  return dark;
}

/**
 * An element as it is on dark paper.
 * @param {import("./types.js").Element} element
 * @returns {import("./types.js").Element}
 */
export function dusked(element) {
  const { color, face, edge } = element;
  const each = element.kind === "lines" || element.kind === "arrows" ? 4 : 3;
  return {
    ...element,
    ...(color ? { color: dusks(color, each) } : {}),
    ...(face ? { face: dusk(face) } : {}),
    ...(edge ? { edge: dusk(edge) } : {}),
  };
}

/** @param {ArrayLike<number>} color */
const plain = (color) =>
  `rgb(${Array.from(color, (part) => Math.round(255 * part))
    .slice(0, 3)
    .join(" ")})`;

/**
 * A color for CSS, on the paper that the page has.
 * @param {ArrayLike<number>} color as it is on light paper
 */
export const css = (color) => `light-dark(${plain(color)}, ${plain(dusk(color))})`;

/** A color for CSS, of a code. @param {string} text #rrggbb */
export const cssOf = (text) => css(numbers(text));

/** The color of a number, such as that of a mode. @param {number} k */
export const colorOf = (k) => tone(POPULATIONS[k % POPULATIONS.length]);

/** Colors by number, those from little to much, those of headings, from the x axis counterclockwise, and of densities. */
export const TABLES = {
  number: POPULATIONS.map(tone),
  ramp: RAMP.map(tone),
  wheel: WHEEL.map(tone),
  crowd: CROWD.map(tone),
};

/**
 * The color of a value in a table.
 * @param {keyof typeof TABLES} name
 * @param {number} value in 0..1, or a number
 * @param {number[][]} [table] the same on other paper
 */
export function colorIn(name, value, table = TABLES[name]) {
  if (name === "number") return table[Math.round(value) % table.length];
  const last = name === "wheel" ? table.length : table.length - 1;
  const place = name === "wheel" ? (value - Math.floor(value)) * last : Math.min(Math.max(value, 0), 1) * last;
  const low = Math.min(Math.floor(place), last - 1);
  const next = table[(low + 1) % table.length];
  return table[low].map((part, c) => part + (place - low) * (next[c] - part));
}

/** A ramp for CSS. @param {"ramp" | "crowd"} [name] */
export const rampCss = (name = "ramp") => `linear-gradient(to right, ${TABLES[name].map(css).join(", ")})`;

/** The wheel of headings for CSS: CSS turns clockwise, and begins above. */
export const wheelCss = () => {
  const [first, ...others] = TABLES.wheel.map(css);
  return `conic-gradient(from 90deg, ${[first, ...others.reverse(), first].join(", ")})`;
};
