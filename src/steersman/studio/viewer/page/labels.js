// Words over the picture: ids of vehicles, and the places of grid lines in meters.

import { byId, html } from "./controls.js";
import { meshOf, onScreen } from "./camera.js";
import { css } from "./palette.js";

/** @typedef {{text: string, tick?: boolean, before?: boolean, left: string, top: string, color?: string}} Word a word, and where it stands */

const MOST = 300; // Ids that are shown at once.
const CROWDED = 60; // Words that are kept apart from each other.
const LONGEST = 110; // Of the scale [pixels of CSS].
const ASIDE = 6; // How far from its vehicle to the left a place is whose word stands at its left [pixels of CSS].
const GAP = 8; // Between a place and its word [pixels of CSS], as in the style sheet.

/**
 * Let words follow the picture.
 * @param {import("./stage.js").Stage} stage
 */
export function labels(stage) {
  const box = byId("labels");
  let written = "";
  stage.onPaint = () => {
    const { scene, camera, after } = stage;
    if (!scene || !camera || !after) return;
    const bar = byId("scale");
    bar.hidden = !("scale" in camera);
    if ("scale" in camera) {
      const most = LONGEST / camera.scale;
      const power = 10 ** Math.floor(Math.log10(most));
      const size = power * ([5, 2].find((k) => k * power <= most) ?? 1);
      bar.style.width = `${size * camera.scale}px`;
      bar.textContent = `${Number(size.toPrecision(3))} m`;
    }
    /** @type {Word[]} */
    const words = scene.dimensions === 2 && stage.layers.grid && "scale" in camera ? ticks(camera) : [];
    const middle = stage.selected && stage.placeOf(stage.selected);
    const own = middle && onScreen(camera, middle);
    const why = stage.extra.get("why");
    const told = new Set([...(why?.words ?? []), ...(why?.moving ?? [])]);
    for (const element of [...(stage.layers.scenery ? stage.texts : []), ...stage.words]) {
      const { position = new Float32Array(0), words: texts = [], color } = element;
      texts.forEach((text, k) => {
        const at = onScreen(camera, position.subarray(scene.dimensions * k, scene.dimensions * (k + 1)));
        // Words of arrows that point to the left stand there, and not on the arrow and its vehicle.
        const before = told.has(element) && own && at && at[0] < own[0] - ASIDE;
        if (at)
          words.push({ ...beside(at, text), ...(before ? { before } : {}), ...(color ? { color: css(color) } : {}) });
      });
    }
    if (stage.layers.ids) {
      for (const [population, bodies] of Object.entries(after.populations)) {
        for (let k = 0; k < Math.min(bodies.n, MOST); k++) {
          const place = stage.placeOf({ population, id: bodies.id[k] });
          const at = place && onScreen(camera, place);
          if (at) words.push(beside(at, String(bodies.id[k])));
        }
      }
    }
    const now = JSON.stringify([words, camera.width]);
    if (now === written) return; // Most pictures have the words of the one before: no elements are made anew.
    written = now;
    const elements = words.map(({ text, tick, before: _, ...style }) =>
      html("span", { className: tick ? "tick" : "word", textContent: text, style }),
    );
    box.replaceChildren(...elements);
    keepApart(elements, words, camera);
  };
}

/**
 * A word at the right of a place.
 * @param {number[]} at [pixels of CSS]
 * @param {string} text
 * @returns {Word}
 */
const beside = (at, text) => ({ text, left: `${at[0]}px`, top: `${at[1]}px` });

/**
 * Words that the border would cut off stand at the left of their places, if there is room; of those that would lie on
 * each other, later ones stand lower. All are measured before any is moved, so that the page is laid out once.
 * @param {HTMLElement[]} elements
 * @param {Word[]} told
 * @param {{width: number}} camera
 */
function keepApart(elements, told, { width }) {
  const left = new Set(elements.filter((_, k) => told[k].before));
  const words = elements.filter((word) => word.className === "word");
  const boxes = words.map((word) => {
    const [x, y] = [parseFloat(word.style.left), parseFloat(word.style.top)];
    const [wide, high] = [word.offsetWidth, word.offsetHeight];
    const before = x <= width && (left.has(word) || x + wide + GAP > width) && x >= wide + GAP;
    return { x: before ? x - wide - GAP : x + GAP, y, wide, high, before };
  });
  boxes.slice(0, CROWDED).forEach((box, k) => {
    const others = boxes.slice(0, k).sort((a, b) => a.y - b.y);
    for (const other of others) {
      const apart = box.x > other.x + other.wide || other.x > box.x + box.wide;
      if (!apart && Math.abs(box.y - other.y) < box.high) box.y = other.y + box.high;
    }
  });
  words.forEach((word, k) => {
    word.classList.toggle("before", boxes[k].before);
    word.style.top = `${boxes[k].y}px`;
  });
}

/**
 * The places of grid lines, along the lower and the left edge.
 * @param {import("./camera.js").FlatCamera} camera
 */
function ticks(camera) {
  const mesh = meshOf(camera);
  /** @type {Word[]} */
  const words = [];
  const place = (/** @type {number} */ value, /** @type {{left: string, top: string}} */ style) =>
    words.push({ text: String(Number(value.toPrecision(8))), tick: true, ...style });
  const half = [camera.width / 2 / camera.scale, camera.height / 2 / camera.scale];
  for (let x = Math.ceil((camera.middle[0] - half[0]) / mesh) * mesh; x < camera.middle[0] + half[0]; x += mesh) {
    place(Math.abs(x) < 1e-9 ? 0 : x, {
      left: `${camera.width / 2 + (x - camera.middle[0]) * camera.scale + 3}px`,
      top: "2px",
    });
  }
  for (let y = Math.ceil((camera.middle[1] - half[1]) / mesh) * mesh; y < camera.middle[1] + half[1]; y += mesh) {
    place(Math.abs(y) < 1e-9 ? 0 : y, {
      left: "4px",
      top: `${camera.height / 2 - (y - camera.middle[1]) * camera.scale + 1}px`,
    });
  }
  return words;
}
