// Words over the picture: names of what is seen, ids of vehicles, and the places of grid lines in meters.

import { byId, html } from "./controls.js";
import { meshOf, meters, onScreen, screen } from "./camera.js";
import { GOAL, PREDICTED, SAME, chosen, isArrow, near, rankOf } from "./names.js";
import { arranged } from "./placing.js";
import { BODY, CHOSEN } from "./outlines.js";
import { css } from "./palette.js";

/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./placing.js").Box} Box */
/** @typedef {import("./placing.js").Line} Line */
/** @typedef {import("./placing.js").Things} Things */
/** A word that is to be placed. @typedef {import("./placing.js").Wish & {text: string, color: string, element?: Element}} Wished */
/** A name, and the places beside which it can stand. @typedef {{text: string, places: number[][], element?: Element, on?: boolean | string}} Named */
/** A word of the grid, and where it stands. @typedef {{text: string, left: string, top: string}} Tick */
/** Where place k of some places is on the screen. @typedef {(places: ArrayLike<number>, k: number) => number[] | null} Spot */

const IDS = 300; // Ids that are shown at once.
const LONGEST = 110; // Of the scale [pixels of CSS].
const GAP = 8; // Between a vehicle and its id [pixels of CSS].
export const ROUND = 24; // Lines of fewer points are no rings.
const ALONG = 12; // Places along a ring, beside one of which its name stands.
const EDGE = 6; // These are at least so far from the border [pixels of CSS].
const HEAD = 16; // Length and width of the head of an arrow, and of a cross [pixels of CSS].
const WAYS = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"]; // To a goal that is out of the picture.
const PIECES = 40; // In which a line is looked at.
const PART = 0.36; // Half the side of a square that a vehicle covers, in its lengths, or widths.
const TICK = 14; // The height of a number at the border [pixels of CSS]: none is cut off, or lies on another one.
const DIGIT = 6.5; // The width of a digit of it [pixels of CSS].
const FEW = 3000; // Vehicles up to which words keep off them.
export const OWN = 3; // It is so much worse to cover the explained vehicle, or one that takes part, than another vehicle;
const BESIDE = 0.6; // and where one is explained, others count so much,
const WEIGHTS = { scenery: 0.4, arrow: 2, head: 4, mark: 4, rock: 0.5 }; // and so do lines of the scenery, arrows, their heads, marks, and obstacles,
const THINGS = [1.9, 2]; // Between these are the layers of things that stand there, such as a lamp.
const LARGE = 150; // Wider ones are like ground: words stand on them [pixels of CSS].
const CORNERS = 8; // So many corners of an obstacle tell where it is.
const ROCK = 0.8; // which cover so much of the box around them, along its sides.
const ALONG_ARROW = [1, 0.8, 0.6]; // Where words stand beside an arrow, as parts of it.
const POINTS = 4; // Names of more points than these are told only at the marks of an explanation.
const AROUND = 26; // Of air around the box of a tour, and to the border [pixels of CSS].
const WHOLE = 0.9; // Of the width of the picture, from which on it has no other side.
const BETTER = 0.5; // Another corner has so many words less.
const SCENERY = 280; // What a word of the scenery may cost,
const SPARED = { count: 4, most: 60 }; // and so many of those that the explanation does not need, which are written where there is room.

/**
 * Let words follow the picture.
 * @param {import("./stage.js").Stage} stage
 */
export function labels(stage) {
  const box = byId("labels");
  const words = new Words(box);
  let [written, key] = ["", ""];
  /** Lines of the scenery, where they were seen last. @type {Line[]} */
  let standing = [];
  /** Obstacles, likewise. @type {Box[]} */
  let rocks = [];
  /** @type {Element[]} */
  let looked = [];
  stage.onPaint = () => {
    const { scene, camera, after, lens } = stage;
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
    const numbers =
      scene.dimensions === 2 && stage.layers.grid && !stage.explains && "scale" in camera ? ticks(camera) : [];
    const middle = stage.selected && stage.placeOf(stage.selected);
    const own = middle && onScreen(camera, middle);
    const why = stage.extra.get("why");
    const sketch = [...(why?.elements ?? []), ...(why?.made ?? [])];
    const told = new Set(sketch);
    const spot = spotOf(camera, scene.dimensions);
    const seen = (/** @type {number[]} */ at) => isWithin(at, camera) && !lens?.covers(at);
    const found = (/** @type {Element[]} */ elements) => namesOf(elements, sketch, spot, camera, seen, own || null);
    const fixtures = stage.layers.scenery ? found(stage.texts.filter((each) => stage.tells(each))) : [];
    const notes = found(stage.words.filter((each) => !told.has(each) && stage.tells(each)));
    const noted = notes.filter(({ element }) => !stage.explains || stage.said(element));
    const names = found(stage.words.filter((each) => told.has(each))).filter((each) => !lens?.names(each));
    const others = noted.filter(({ text }) => !names.some((each) => each.text === text));
    const points = pointsOf(stage.elements, spot, scene.dimensions).filter((at) => at && seen(at));
    const there = sketch.length ? placesIn(fixtures, names, points) : fixtures;
    const telling = chosen(names, own || null, [...there, ...others]);
    const fixed = there.filter((each) => !telling.some((it) => !isArrow(it) && !it.ring && near(it, each)));
    const ranked = [
      ...telling.map((each) => ({
        each,
        rank: rankOf(each),
        most: worthOf(each),
      })),
      ...others.map((each) => ({ each, rank: 3, most: SCENERY })),
    ].sort((a, b) => a.rank - b.rank);
    const grounded = fixtures.filter(({ on = true }) => on === true || stage.said({ says: on || "" }));
    const besides = spared([...grounded, ...notes], [...there, ...noted, ...telling], own || null);
    const wishes = [
      ...fixed.map((each) => words.wish(each, null, SCENERY, camera)),
      ...ranked.map(({ each, most }) => words.wish(each, own, most, camera)),
      ...besides.map((each) => words.wish(each, null, SPARED.most, camera)),
    ];
    const rim = own && stage.selected ? stage.rim(stage.selected) : 0;
    /** @type {Tick[]} */
    const ids = [];
    if (stage.layers.ids) {
      for (const [population, bodies] of Object.entries(after.populations)) {
        for (let k = 0; k < Math.min(bodies.n, IDS); k++) {
          const place = stage.placeOf({ population, id: bodies.id[k] });
          const at = place && onScreen(camera, place);
          if (at) ids.push({ text: String(bodies.id[k]), left: `${at[0] + GAP}px`, top: `${at[1]}px` });
        }
      }
    }
    const said = wishes.map(({ text, places, color }) => [text, places, color]);
    const tour = byId("tour");
    if (!tour.hidden) aside(tour, wishes, camera);
    const now = JSON.stringify([numbers, ids, said, camera.width, stage.still, taken(tour, box)]);
    if (now === written) return; // Most pictures have the words of the one before: no elements are made anew.
    written = now;
    const last = `${camera.matrix.join()} ${camera.width} ${camera.height} ${scene.name}`;
    if (last !== key || looked !== stage.elements) {
      looked = stage.elements;
      const all = linesOf(stage.elements, spot, scene.dimensions);
      standing = all.map(([from, to, size, arrow]) => [from, to, size, arrow, WEIGHTS.scenery]);
      rocks = rocksOf(stage.elements, spot, camera);
      key = last;
    }
    const moving = linesOf([...stage.noted, ...(lens?.view ? (why?.elements ?? []) : sketch)], spot, scene.dimensions);
    const lines = [...(stage.layers.scenery ? standing : []), ...moving];
    const ring = own ? [{ x: own[0] - rim, y: own[1], wide: 2 * rim, high: 2 * rim, weight: OWN }] : [];
    const kept = [...boxesOf(numbers), ...taken(byId("lens"), box), ...taken(tour, box)];
    const bodies = [...ring, ...bodiesOf(stage, camera), ...(stage.layers.scenery ? rocks : [])];
    const things = { words: [], kept, lines, bodies, still: stage.still };
    const texts =
      (/** @type {string} */ className) =>
      (/** @type {Tick} */ { text, left, top }) =>
        html("span", { className, textContent: text, style: { left, top } });
    words.show(wishes, things, camera, [...numbers.map(texts("tick")), ...ids.map(texts("word"))]);
  };
}

/**
 * Put a box of the page into the corner in which fewest words are to stand; where it is if no other one is better.
 * @param {HTMLElement} tour
 * @param {Wished[]} wishes
 * @param {{width: number, height: number}} picture
 */
function aside(tour, wishes, { width, height }) {
  const [wide, high] = [tour.offsetWidth + 2 * AROUND, tour.offsetHeight + 2 * AROUND];
  const narrow = wide > WHOLE * width; // Where it stands below at first.
  const covers = ["", "left", "far", "left far"].map((name) => {
    const [left, low] = [name.startsWith("left"), name.endsWith("far") !== narrow];
    const [x, y] = [left ? 0 : width - wide, low ? height - high : 0];
    const parts = wishes.map(({ places, wide: long, high: tall }) => {
      const on = places.filter(([a, b]) => a > x - long && a < x + wide + long && b > y - tall && b < y + high + tall);
      return on.length / places.length;
    });
    return { name, much: parts.reduce((sum, each) => sum + each, 0) };
  });
  const least = Math.min(...covers.map(({ much }) => much));
  const best = covers.filter(({ much }) => much <= least + BETTER);
  if (!best.some(({ name }) => name === tour.className)) tour.className = best[0].name;
}

/** Words in a box of the page: their sizes are measured once, and where they stand is remembered. */
export class Words {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    /** @type {Map<string, {wide: number, high: number}>} */
    this.sizes = new Map();
    /** Where the words stood last. @type {Map<string, import("./placing.js").Stood>} */
    this.stood = new Map();
    this.size = ""; // Of the picture then.
  }

  /**
   * A word that is to be placed, with its size.
   * @param {Named} name
   * @param {number[] | null} from
   * @param {number} most
   * @param {{width: number}} picture
   * @returns {Wished}
   */
  wish({ text, places, element }, from, most, { width }) {
    const key = `${text} ${width}`;
    let size = this.sizes.get(key);
    if (!size) {
      const word = html("span", { className: "word", textContent: text });
      this.box.append(word);
      size = { wide: word.offsetWidth, high: word.offsetHeight };
      word.remove();
      if (size.wide) this.sizes.set(key, size);
    }
    const tip = isArrow({ text: element?.words?.[0] ?? text, force: element?.force });
    return {
      text,
      places,
      element,
      from,
      most,
      tip,
      color: (element?.color && css(element.color)) ?? "",
      ...size,
    };
  }

  /**
   * Place words, the first ones first, and write them, with lines from those that stand away from their places.
   * @param {Wished[]} wishes
   * @param {Things} things
   * @param {{width: number, height: number}} picture
   * @param {HTMLElement[]} [besides] what else stands there
   * @returns {Wished[]} those that have a place
   */
  show(wishes, things, picture, besides = []) {
    const [now, size] = [new Map(), `${picture.width} ${picture.height}`];
    if (size !== this.size) this.stood.clear(); // In a picture of another size every word looks for the best place.
    this.size = size;
    const placed = arranged(wishes, things, picture, this.stood, now);
    this.stood = now;
    const leaders = placed.flatMap(({ line, color }) => (line ? [drawn(line, color)] : []));
    const elements = placed.map(({ text, color, x, y }) =>
      html("span", {
        className: "word",
        textContent: text,
        style: { left: `${x}px`, top: `${y}px`, ...(color ? { color } : {}) },
      }),
    );
    this.box.replaceChildren(...leaders, ...besides, ...elements);
    return placed;
  }
}

/** What a name may cost. @param {import("./names.js").Name} name */
export function worthOf(name) {
  const rank = rankOf(name);
  return rank < 3 ? 290 : rank < 5 ? 230 : 80;
}

/**
 * Names with the places on the screen beside which they can stand.
 * @param {Element[]} texts
 * @param {Element[]} sketch what they name
 * @param {Spot} spot
 * @param {{width: number, height: number}} picture
 * @param {(at: number[]) => boolean} seen
 * @param {number[] | null} [own] the place of the vehicle; a goal out of the picture is named where the way there leaves it
 */
export const namesOf = (texts, sketch, spot, picture, seen, own = null) =>
  texts.flatMap((element) =>
    (element.words ?? []).flatMap((text, k) => {
      const at = spot(element.position ?? [], k);
      const all = placesOf(at, element, sketch, spot, picture);
      const there = all.flatMap((each) => (each && seen(each) ? [each] : []));
      const far = !there.length && at && own && element.means === GOAL && isWithin(own, picture);
      const places = far ? [leaving(own, at, picture)] : there;
      const arrow = far
        ? ` ${WAYS[Math.round((4 * Math.atan2(own[1] - at[1], at[0] - own[0])) / Math.PI + 8) % 8]}`
        : "";
      return places.length
        ? [
            {
              text: (severalOf(element, sketch) ? `${text}s` : text) + arrow,
              at: places[0],
              places,
              element,
              force: element.force,
              ring: element.ring,
              on: element.on?.[k],
            },
          ]
        : [];
    }),
  );

/** Whether a word is about several rings of predicted positions, or of what counts: a noun alone has a plural. @param {Element} word @param {Element[]} sketch */
const severalOf = ({ of, means, says, words = [] }, sketch) =>
  (words[0] === PREDICTED || (means === CHOSEN && !words[0]?.includes(" "))) &&
  sketch
    .filter((each) => each.of === of && each.means === means && each.says === says)
    .flatMap(({ kind, counts = [] }) => (kind === "lines" ? counts : []))
    .filter((count) => count > ROUND).length > 1;

/**
 * Names that are told while a vehicle is explained: those of notes and of points, which are drawn, and those at its marks.
 * @template {{at: number[], element?: Element}} T
 * @param {T[]} names
 * @param {{at: number[]}[]} marks
 * @param {(number[] | null)[]} points
 */
export function placesIn(names, marks, points) {
  const few = points.length > POINTS ? [] : points;
  return names.filter(
    ({ at: [x, y], element }) =>
      element?.says ||
      [...marks.map(({ at }) => at), ...few].some((at) => at && Math.hypot(at[0] - x, at[1] - y) < SAME),
  );
}

/**
 * Names that an explanation does not need, of the places nearest to its vehicle: not where another name stands, or the same one.
 * @template {{at: number[], text: string}} T
 * @param {T[]} names
 * @param {{at: number[], text: string}[]} named
 * @param {number[] | null} own where the vehicle is on the screen
 */
export function spared(names, named, own) {
  const away = (/** @type {T} */ { at }) => (own ? Math.hypot(at[0] - own[0], at[1] - own[1]) : 0);
  return names
    .filter((each) => !named.some((it) => it.text === each.text || near(it, each)))
    .sort((a, b) => away(a) - away(b))
    .slice(0, SPARED.count);
}

/**
 * Where points of the scenery are on the screen.
 * @param {Element[]} elements
 * @param {Spot} spot
 * @param {number} d
 */
const pointsOf = (elements, spot, d) =>
  elements.flatMap(({ kind, shape, position = [] }) =>
    kind === "marks" && shape === "plus"
      ? Array.from({ length: position.length / d }, (_, k) => spot(position, k))
      : [],
  );

/**
 * Places on the screen.
 * @param {import("./camera.js").Camera} camera
 * @param {number} d
 * @returns {Spot}
 */
export function spotOf(camera, d) {
  const at = screen(camera);
  return (places, k) => at(Array.prototype.slice.call(places, d * k, d * (k + 1)));
}

/** Where a way leaves a picture, and a little before. @param {number[]} from @param {number[]} to @param {{width: number, height: number}} picture */
function leaving(from, to, { width, height }) {
  const parts = [width, height].map(
    (size, c) => ((to[c] > from[c] ? size - EDGE : EDGE) - from[c]) / (to[c] - from[c]),
  );
  return from.map((each, c) => each + Math.min(...parts.filter((part) => part >= 0)) * (to[c] - each));
}

/** Whether a place is in a picture. @param {number[]} at @param {{width: number, height: number}} picture */
export const isWithin = ([x, y], { width, height }) => x >= 0 && x <= width && y >= 0 && y <= height;

/**
 * The places beside which a word can stand: the tip of its arrow, its marks, along its ring, null where that is not seen; or its own.
 * The word of a ring of which nothing is seen, or drawn, has none.
 * @param {number[] | null} at its own place
 * @param {Element} word
 * @param {Element[]} elements
 * @param {Spot} spot
 * @param {{width: number, height: number}} picture
 */
export function placesOf(at, { of, means, says, force, ring, tails: from }, elements, spot, { width, height }) {
  const alike = (/** @type {Element} */ each) => each.of === of && each.means === means && each.says === says;
  if (force && from && at) return beside([spot(from, 0), at]);
  const same = of === undefined ? [] : elements.filter(alike);
  const placed = (/** @type {Element} */ each, along = ALONG) => {
    const { kind, position = [], tails = [], tips = [], points = [], counts: [count] = [0] } = each;
    if (kind === "marks")
      return Array.from({ length: Math.min(Math.floor(position.length / 2), ALONG) }, (_, k) => spot(position, k));
    if (kind === "arrows" && tips.length) return beside(longest(spot, tails, tips));
    if (kind !== "lines" || count <= ROUND) return [];
    return Array.from({ length: along }, (_, k) => spot(points, Math.floor((k * count) / along)));
  };
  const whole = (/** @type {number[] | null} */ each) =>
    each && each[0] > EDGE && each[1] > EDGE && each[0] < width - EDGE && each[1] < height - EDGE ? each : null;
  const seen = same.flatMap((each) => placed(each)).map(whole);
  if (seen.some(Boolean)) return seen;
  const little = ring ? same.flatMap((each) => placed(each, each.counts?.[0])).filter(whole) : []; // Of a large ring.
  if (little.length) return little.filter((_, k) => k % Math.ceil(little.length / ALONG) === 0);
  return at && !(ring && same.every(({ kind }) => kind === "lines" || kind === "texts")) ? [at] : [];
}

/** Places along an arrow, beside which its word can stand. @param {(number[] | null)[]} ends */
const beside = ([from, to]) =>
  from && to ? ALONG_ARROW.map((part) => to.map((each, c) => from[c] + part * (each - from[c]))) : [to];

/** The ends of the longest of some arrows. @param {Spot} spot @param {ArrayLike<number>} tails @param {ArrayLike<number>} tips */
function longest(spot, tails, tips) {
  const ends = Array.from({ length: Math.floor(tips.length / 2) }, (_, k) => [spot(tails, k), spot(tips, k)]);
  const far = ([a, b] = ends[0]) => (a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) || 0 : 0);
  return ends.reduce((one, other) => (far(other) > far(one) ? other : one));
}

/**
 * What vehicles cover.
 * @param {import("./stage.js").Stage} stage
 * @param {import("./camera.js").Camera} camera
 */
export function bodiesOf(stage, camera) {
  /** @type {Box[]} */
  const boxes = [];
  const other = stage.explains ? BESIDE : 1;
  const [meter, look] = [meters(camera), screen(camera)];
  for (const [name, { n, id, position, size, width }] of Object.entries(stage.after?.populations ?? {})) {
    const cast = stage.cast.get(name);
    const place = new Array(n ? position.length / n : 0).fill(0);
    for (let k = 0; k < (n > FEW ? 0 : n); k++) {
      for (let c = 0; c < place.length; c++) place[c] = position[place.length * k + c];
      const at = look(place);
      if (!at || !isWithin(at, camera)) continue;
      const half = PART * Math.max(size[k], width?.[k] ?? 0) * meter(place);
      const weight = cast?.has(id[k]) ? OWN : other;
      boxes.push({ x: at[0] - half, y: at[1], wide: 2 * half, high: 2 * half, weight });
    }
  }
  return boxes;
}

/**
 * What obstacles in the plane, and things that stand there, cover that are not large: a part of the box around each of them.
 * @param {Element[]} elements
 * @param {Spot} spot
 * @param {{width: number, height: number}} picture
 * @returns {Box[]}
 */
export function rocksOf(elements, spot, picture) {
  const stands = (/** @type {number} */ layer) => layer === BODY || (layer >= THINGS[0] && layer < THINGS[1]);
  const all = elements.filter(({ kind, layer }) => kind === "areas" && stands(layer));
  if (all.flatMap(({ counts = [] }) => counts).length > FEW) return [];
  return all.flatMap(({ points = [], counts = [] }) => {
    let first = 0;
    return counts.flatMap((count) => {
      const step = Math.max(Math.floor(count / CORNERS), 1);
      const ring = Array.from(
        { length: Math.floor(count / step) },
        (_, k) => spot(points, first + k * step) ?? [NaN, NaN],
      );
      first += count;
      const [low, high] = [Math.min, Math.max].map((most) => [0, 1].map((c) => most(...ring.map((at) => at[c]))));
      const [wide, tall] = high.map((each, c) => ROCK * (each - low[c]));
      const [x, y] = low.map((each, c) => (each + high[c]) / 2);
      const off = x + wide < 0 || y + tall < 0 || x - wide > picture.width || y - tall > picture.height;
      return off || !(wide > 0 && wide < LARGE) ? [] : [{ x: x - wide / 2, y, wide, high: tall, weight: WEIGHTS.rock }];
    });
  });
}

/**
 * What no word is to cover: the lens.
 * @param {HTMLElement} element
 * @param {HTMLElement} box that words are in
 * @returns {Box[]}
 */
function taken(element, box) {
  if (element.hidden) return [];
  const origin = box.getBoundingClientRect();
  const { left, top, width, height } = element.getBoundingClientRect();
  return [{ x: left - origin.left, y: top - origin.top + height / 2, wide: width, high: height }];
}

/**
 * Where lines, arrows, edges of areas and marks are on the screen.
 * @param {Element[]} elements
 * @param {Spot} spot
 * @param {number} d
 * @returns {Line[]}
 */
export function linesOf(elements, spot, d) {
  /** @type {Line[]} */
  const lines = [];
  const line = (/** @type {number[] | null} */ from, /** @type {number[] | null} */ to, size = 2, arrow = false) => {
    if (from && to) lines.push(arrow ? [from, to, size, arrow, WEIGHTS.arrow] : [from, to, size]);
  };
  for (const { kind, tails = [], tips = [], points = [], counts = [], position = [], edge } of elements) {
    for (let k = 0; kind === "arrows" && d * k < tails.length; k++) {
      const [from, to] = [spot(tails, k), spot(tips, k)];
      line(from, to, 2, true);
      if (!from || !to) continue;
      const part = Math.min(HEAD / Math.max(Math.hypot(to[0] - from[0], to[1] - from[1]), 1e-6), 1);
      lines.push([to.map((each, c) => each + part * (from[c] - each)), to, HEAD, true, WEIGHTS.head]);
    }
    for (let k = 0; kind === "marks" && d * k < position.length; k++) {
      const at = spot(position, k);
      if (at) lines.push([[at[0] - 2, at[1]], [at[0] + 2, at[1]], HEAD - 2, true, WEIGHTS.mark]);
    }
    let first = 0;
    for (const count of kind === "lines" || (kind === "areas" && edge) ? counts : []) {
      const each = Math.max(Math.ceil(count / PIECES), 1);
      let from = spot(points, kind === "areas" ? first + count - 1 : first);
      for (let k = kind === "areas" ? 0 : each; k < count - 1 + each; k += each) {
        const to = spot(points, first + Math.min(k, count - 1));
        line(from, to);
        from = to;
      }
      first += count;
    }
  }
  return lines;
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

/**
 * Where numbers of the grid stand.
 * @param {Tick[]} numbers
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
  /** @type {Tick[]} */
  const words = [];
  const place = (/** @type {number} */ value, /** @type {{left: string, top: string}} */ style) =>
    words.push({ text: String(Number(value.toPrecision(8))), ...style });
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
