// Words over the picture: ids of vehicles, and the places of grid lines in meters.

import { byId, html } from "./controls.js";
import { meshOf, onScreen } from "./camera.js";
import { chosen, leader } from "./names.js";
import { css } from "./palette.js";

/**
 * A word, and where it stands; `free` of one whose place is chosen among those beside what it names, `fixed` of one that keeps off
 * the lines of the scenery alone, so that it stays while vehicles pass.
 * @typedef {{text: string, tick?: boolean, before?: boolean, free?: boolean, fixed?: boolean, left: string, top: string, color?: string}} Word
 */
/** A word that is placed: its left end, its middle from above, and its size [pixels of CSS]. @typedef {{x: number, y: number, wide: number, high: number}} Box */
/** What words are not to cover: lines between two places, with their width [pixels of CSS]. @typedef {[number[], number[], number]} Line */

const MOST = 300; // Ids that are shown at once.
const CROWDED = 60; // Words that are kept apart from each other.
const LONGEST = 110; // Of the scale [pixels of CSS].
const ASIDE = 6; // How far from its vehicle to the left a place is whose word stands at its left [pixels of CSS].
const GAP = 8; // Between a place and its word [pixels of CSS], as in the style sheet.
const ROUND = 24; // Lines of fewer points are no rings.
const HEAD = 12; // Length and width of the head of an arrow [pixels of CSS].
const ROWS = [0, -1, 1, -2, 2, -3, 3, -4, 4]; // How many of its heights lower a word can stand, the nearest first.
/** What it costs a word to lie on another one, on a line, on a vehicle, or beyond the border; to stand a row off, at the other side, or elsewhere than before. */
const COSTS = { word: 1000, line: 20, body: 8, border: 300, row: 3, side: 4, change: 6 };
const CORNERS = 12; // Points up to which a line of the scenery is kept free of the words of the scenery.
const STRAIGHT = 3; // Points up to which a line is kept free: longer ones are circles and paths, which words may cross.
const TICK = 14; // The height of a number at the border [pixels of CSS]: none is cut off, or lies on another one.
const DIGIT = 6.5; // The width of a digit of it [pixels of CSS].
const FEW = 300; // Vehicles up to which words keep off them.

/**
 * Let words follow the picture.
 * @param {import("./stage.js").Stage} stage
 */
export function labels(stage) {
  const box = byId("labels");
  let written = "";
  /** Where the words that are placed stood last: the side and the row of each. @type {Map<string, string>} */
  let stood = new Map();
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
    const noted = new Set(stage.extra.get("notes")?.words ?? []);
    const spot = (/** @type {ArrayLike<number>} */ places, /** @type {number} */ k) =>
      onScreen(camera, Array.prototype.slice.call(places, scene.dimensions * k, scene.dimensions * (k + 1)));
    const forces = new Set(why?.moving ?? []);
    const all = [...(stage.layers.scenery ? stage.texts : []), ...stage.words].flatMap((element) =>
      (element.words ?? []).flatMap((text, k) => {
        const at = inSight(spot(element.position ?? [], k), element, why?.elements ?? [], spot, camera);
        return at ? [{ text, at, element, force: forces.has(element) }] : [];
      }),
    );
    const seen = all.filter(({ at }) => !stage.lens?.covers(at));
    const names = seen.filter((each) => told.has(each.element) && !stage.lens?.names(each.text, each.at));
    const others = seen.filter((each) => !told.has(each.element));
    for (const { text, at, element } of [...others, ...chosen(names, own || null, others)]) {
      // Words of arrows that point to the left stand there, and not on the arrow and its vehicle.
      const before = told.has(element) && own && at[0] < own[0] - ASIDE;
      const fixed = stage.texts.includes(element);
      const free = fixed || told.has(element) || noted.has(element);
      words.push({
        ...beside(at, text),
        ...(before ? { before } : {}),
        ...(free ? { free } : {}),
        ...(fixed ? { fixed } : {}),
        ...(element.color ? { color: css(element.color) } : {}),
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
    const elements = words.map(({ text, tick, before: _, free: __, fixed: ___, ...style }) =>
      html("span", { className: tick ? "tick" : "word", textContent: text, style }),
    );
    box.replaceChildren(...elements);
    const standing = stage.layers.scenery ? linesOf(stage.elements, CORNERS, spot, scene.dimensions) : [];
    const explained = linesOf([...(why?.elements ?? []), ...(why?.made ?? [])], STRAIGHT, spot, scene.dimensions);
    const ring = own && stage.selected ? [/** @type {Line} */ ([own, own, 2 * stage.rim(stage.selected)])] : [];
    const lines = [...ring, ...explained];
    const numbers = boxesOf(words.filter(({ tick }) => tick));
    const bodies = [...numbers];
    const meter = camera.meter(camera.middle);
    for (const { n, position, size } of own ? Object.values(after.populations) : []) {
      for (let k = 0; k < (n > FEW ? 0 : n); k++) {
        const at = spot(position, k);
        if (at) bodies.push({ x: at[0] - (size[k] * meter) / 3, y: at[1], wide: (size[k] * meter) / 1.5, high: 0 });
      }
    }
    const kept = ["legend", "scale", "lens", "reason"].flatMap((name) => taken(byId(name), box));
    const apart = keepApart(elements, words, camera, { lines, bodies, standing, numbers, kept }, stood);
    stood = apart.stood;
    box.prepend(...apart.leaders);
  };
}

/**
 * Where a word of an explanation stands: of a ring whose place is out of the picture, at its point nearest to the middle.
 * @param {number[] | null} at
 * @param {import("./types.js").Element} word
 * @param {import("./types.js").Element[]} elements
 * @param {(places: ArrayLike<number>, k: number) => number[] | null} spot where a place is on the screen
 * @param {{width: number, height: number}} camera
 */
export function inSight(at, { of, means }, elements, spot, { width, height }) {
  const seen = (/** @type {number[]} */ [x, y]) => x >= 0 && x <= width && y >= 0 && y <= height;
  if (of === undefined || !at || seen(at)) return at;
  const rings = elements.filter(
    (each) => each.kind === "lines" && each.of === of && each.means === means && (each.counts?.[0] ?? 0) > ROUND,
  );
  const places = rings.flatMap(({ points = [], counts = [] }) =>
    Array.from({ length: counts[0] }, (_, k) => spot(points, k)).flatMap((each) => (each && seen(each) ? [each] : [])),
  );
  const far = (/** @type {number[]} */ [x, y]) => Math.hypot(x - width / 2, y - height / 2);
  return places.length ? places.reduce((a, b) => (far(a) < far(b) ? a : b)) : at;
}

/**
 * What no word is to cover: the lines of the legend, or the scale.
 * @param {HTMLElement} element
 * @param {HTMLElement} box that words are in
 * @returns {Box[]}
 */
function taken(element, box) {
  if (element.hidden) return [];
  const origin = box.getBoundingClientRect();
  const parts = element.id === "legend" ? Array.from(element.children) : [element];
  return parts.map((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return { x: left - origin.left, y: top - origin.top + height / 2, wide: width, high: height };
  });
}

/**
 * Where lines and arrows are on the screen.
 * @param {import("./types.js").Element[]} elements
 * @param {number} most the points of a line up to which it counts
 * @param {(places: ArrayLike<number>, k: number) => number[] | null} spot where a place is on the screen
 * @param {number} d
 * @returns {Line[]}
 */
export function linesOf(elements, most, spot, d) {
  /** @type {Line[]} */
  const lines = [];
  const line = (/** @type {ArrayLike<number>} */ a, /** @type {number} */ k, b = a, l = k + 1) => {
    const [from, to] = [spot(a, k), spot(b, l)];
    if (from && to) lines.push([from, to, 3]);
    return from && to ? [from, to] : null;
  };
  const head = (/** @type {number[][] | null} */ ends) => {
    if (!ends) return;
    const [from, to] = ends;
    const part = Math.min(HEAD / Math.max(Math.hypot(to[0] - from[0], to[1] - from[1]), 1e-6), 1);
    lines.push([to.map((each, c) => each + part * (from[c] - each)), to, HEAD]);
  };
  for (const { kind, tails = [], tips = [], points = [], counts = [] } of elements) {
    for (let k = 0; kind === "arrows" && d * k < tails.length; k++) head(line(tails, k, tips, k));
    let first = 0;
    for (const count of kind === "lines" ? counts : []) {
      for (let k = 0; k < count - 1 && count <= most; k++) line(points, first + k);
      first += count;
    }
  }
  return lines;
}

/**
 * A word at the right of a place.
 * @param {number[]} at [pixels of CSS]
 * @param {string} text
 * @returns {Word}
 */
const beside = (at, text) => ({ text, left: `${at[0]}px`, top: `${at[1]}px` });

/**
 * Words that the border would cut off stand at the left of their places, if there is room, else over them; of those that would lie on
 * each other, later ones stand lower. Those of the explanation and of notes stand where they cover neither these nor arrows, those of the
 * scenery where they cover none of its lines. All are
 * measured before any is moved, so that the page is laid out once. Those that stand away from their places have lines to them.
 * @param {HTMLElement[]} elements
 * @param {Word[]} told
 * @param {{width: number, height: number}} camera
 * @param {{lines: Line[], bodies: Box[], standing: Line[], numbers: Box[], kept: Box[]}} things
 * @param {Map<string, string>} stood where these words stood last
 */
function keepApart(elements, told, camera, things, stood) {
  const { width, height } = camera;
  const words = elements.map((element, k) => ({ element, ...told[k] })).filter(({ tick }) => !tick);
  const boxes = words.map(({ element, before: aside }) => {
    const [x, y] = [parseFloat(element.style.left), parseFloat(element.style.top)];
    const [wide, high] = [element.offsetWidth, element.offsetHeight];
    const before = x <= width && (aside || x + wide + GAP > width) && x >= wide + GAP;
    const wished = before ? x - wide - GAP : x + GAP;
    // Else it leaves the picture with its place.
    const seen = x >= 0 && x <= width && y >= 0 && y <= height;
    const [left, top] = seen ? [within(wished, wide, width), amid(y, high, height)] : [wished, y];
    return { x: left, y: top, wide, high, before, place: [x, y] };
  });
  /** @type {typeof boxes} */
  const placed = [];
  boxes.slice(0, CROWDED).forEach((box, k) => {
    if (words[k].free) return;
    for (const other of [...placed].sort((a, b) => a.y - b.y)) {
      const apart = box.x > other.x + other.wide || other.x > box.x + box.wide;
      if (!apart && Math.abs(box.y - other.y) < box.high) box.y = other.y + box.high;
    }
    placed.push(box);
  });
  /** @type {Box[]} */
  const settled = [...placed, ...things.kept];
  const now = new Map();
  const calm = { lines: things.standing, bodies: things.numbers };
  words.forEach(({ text, free, fixed }, k) => {
    if (!free || k >= CROWDED) return;
    const name = now.has(text) ? `${text} ${k}` : text;
    const { key, ...better } = freest(boxes[k], settled, fixed ? calm : things, camera, stood.get(name));
    now.set(name, key);
    settled.push(Object.assign(boxes[k], better));
  });
  /** @type {HTMLElement[]} */
  const leaders = [];
  words.forEach(({ element, free, color }, k) => {
    const { x, y, wide, before } = boxes[k];
    const line = free && k < CROWDED ? leader(boxes[k]) : null;
    if (line) leaders.push(drawn(line, color ?? ""));
    element.classList.toggle("before", before);
    element.style.left = `${before ? x + wide + GAP : x - GAP}px`;
    element.style.top = `${y}px`;
  });
  return { stood: now, leaders };
}

/**
 * A thin line from a word to its place.
 * @param {[number[], number[]]} line
 * @param {string} color
 */
export function drawn([from, to], color) {
  const [width, angle] = [Math.hypot(to[0] - from[0], to[1] - from[1]), Math.atan2(to[1] - from[1], to[0] - from[0])];
  const [left, top] = from.map((each) => `${each}px`);
  return html("i", {
    className: "leader",
    style: { left, top, width: `${width}px`, transform: `rotate(${angle}rad)`, ...(color ? { color } : {}) },
  });
}

/** Where a word begins that is to end within the picture. @param {number} x @param {number} wide @param {number} width */
const within = (x, wide, width) => Math.max(Math.min(x, width - wide), 0);

/** The middle of a word that is to lie within the picture. @param {number} y @param {number} high @param {number} height */
const amid = (y, high, height) => Math.max(Math.min(y, height - high / 2), high / 2);

/**
 * Where a word covers least, beside its place.
 * @param {Box & {before: boolean, place: number[]}} box where it would like to stand
 * @param {Box[]} others that stand already
 * @param {{lines: Line[], bodies: Box[]}} things that it is not to cover
 * @param {{width: number, height: number}} camera
 * @param {string} [last] where it stood last: the side and the row
 * @returns {{x: number, y: number, before: boolean, key: string}}
 */
export function freest({ wide, high, before: wished, place }, others, things, { width, height }, last = "") {
  let [best, least] = [{ x: 0, y: 0, before: wished, key: "" }, Infinity];
  const seen = place[0] >= 0 && place[0] <= width && place[1] >= 0 && place[1] <= height;
  for (const row of ROWS) {
    for (const before of [wished, !wished]) {
      const usual = before ? place[0] - wide - GAP : place[0] + GAP;
      const level = place[1] + row * high;
      const [x, y] = seen ? [within(usual, wide, width), amid(level, high, height)] : [usual, level];
      const key = `${before} ${row}`;
      let cost = COSTS.row * Math.abs(row) + (before === wished ? 0 : COSTS.side) + (key === last ? 0 : COSTS.change);
      if (x !== usual || x < 0 || x + wide > width || y !== level || y < high / 2 || y + high / 2 > height)
        cost += COSTS.border;
      for (const other of others)
        if (x < other.x + other.wide && other.x < x + wide && Math.abs(y - other.y) < high - 1) cost += COSTS.word;
      for (const body of things.bodies)
        if (x < body.x + body.wide && body.x < x + wide && Math.abs(y - body.y) < high) cost += COSTS.body;
      for (const [from, to, size] of things.lines)
        if (crosses(from, to, [x - size / 2, y - (high + size) / 2], [x + wide + size / 2, y + (high + size) / 2]))
          cost += COSTS.line;
      if (cost < least) [best, least] = [{ x, y, before, key }, cost];
    }
  }
  return best;
}

/**
 * Whether a line passes through a rectangle.
 * @param {number[]} from
 * @param {number[]} to
 * @param {number[]} low
 * @param {number[]} high
 */
function crosses(from, to, low, high) {
  let [first, last] = [0, 1];
  for (let c = 0; c < 2; c++) {
    const way = to[c] - from[c];
    if (Math.abs(way) < 1e-9) {
      if (from[c] < low[c] || from[c] > high[c]) return false;
      continue;
    }
    const [a, b] = [(low[c] - from[c]) / way, (high[c] - from[c]) / way];
    [first, last] = [Math.max(first, Math.min(a, b)), Math.min(last, Math.max(a, b))];
  }
  return first <= last;
}

/**
 * Where numbers of the grid stand.
 * @param {{text: string, left: string, top: string}[]} numbers
 * @returns {Box[]}
 */
export const boxesOf = (numbers) =>
  numbers.map(({ text, left, top }) => {
    const y = parseFloat(top) + TICK / 2;
    return { x: parseFloat(left), y, wide: DIGIT * text.length, high: TICK };
  });

/**
 * The places of grid lines, along the lower and the left edge.
 * @param {import("./camera.js").FlatCamera} camera
 */
export function ticks(camera) {
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
  return words.filter(({ text, left, top }) => {
    const [x, y] = [parseFloat(left), parseFloat(top)];
    if (left === "4px" && top !== "2px") return y > TICK + 2 && y < camera.height - TICK;
    return x > 0 && x + DIGIT * text.length < camera.width;
  });
}
