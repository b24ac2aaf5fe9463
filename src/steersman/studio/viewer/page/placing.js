// Where words stand: beside what they name, where they cover least, and where they stood before while that is about as good.

/**
 * What is placed: its left end, its middle from above, and its size [pixels of CSS]; how much worse than another it is to cover it.
 * @typedef {{x: number, y: number, wide: number, high: number, weight?: number}} Box
 */
/** What words are not to cover: a line between two places, its width [pixels of CSS], whether it is of an arrow, and how much worse it is to cover it than another one. @typedef {[number[], number[], number, boolean?, number?]} Line */
/**
 * What is there already: other words, vehicles, lines, and what no word may cover at all; whether all of it stands still.
 * @typedef {{words: Box[], bodies: Box[], lines: Line[], kept: Box[], still?: boolean}} Things
 */
/**
 * A word to be placed: its size, the places of what it names, one of which it is to stand beside, and the place from which it
 * is to point away; `most` is what it may cost, beyond which it is left out; whether the first one is the tip of an arrow, and
 * the others lie along its shaft.
 * @typedef {{wide: number, high: number, places: number[][], from?: number[] | null, most?: number, tip?: boolean}} Wish
 */

/** Where a word stood, or "" for nowhere, beside which place, since when, when it last looked for a better place [ms], and what its place cost then. @typedef {{key: string, place: number[], since: number, looked: number, cost: number}} Stood */

const REST = 1500; // A word that has a place, or found none, looks for a better one so much later [ms].
const WORSE = [70, 12]; // A place that costs so much more than then is left soon, of a word that moved lately and of another one:
const LOOKS = 2; // in each picture, so many words look for a better one.
const PASSING = 0.3; // A vehicle, or a line of a construction, that passes over a word where it stands counts as this part of one.
const GONE = 40; // From one picture to the next, what moves farther is another thing [pixels of CSS];
const SETTLES = 160; // where it stays for so long, its word comes back [ms].
const AGED = 1200; // A word that has stood for so long did not move lately, and moves for little [ms].
const DISTANCES = [6, 11, 17, 25, 36, 50]; // From a place to its word [pixels of CSS].
const TURNS = 16; // Directions in which it can stand.
const FEW = 4; // Of more places, a word looks for room at each
const OUTWARD = 0.7; // in the directions away from the vehicle alone: the cosine of the angle to these.
const RIM = 2; // To the border of the picture [pixels of CSS].
const BETWEEN = 5; // Between two words in one line [pixels of CSS].
const AIRY = 7; // Around a word, where no other one stands if there is room [pixels of CSS].
const CLEAR = 1; // Around a word that nothing covers [pixels of CSS].
const ON = 2; // What is so near to the place of a word is at it [pixels of CSS].
const FAR = 17; // A word that is farther from its place has a line to it [pixels of CSS].
const SEEN = 1.6; // A word that is seen may cost so many times what another one may.
const LETTERS = 0.8; // The part of the height of a word that its letters have.
/** Vehicles, and lines, cost no more than this together: some words have to stand among them. */
const CAP = 200;
const FAINT = 24; // Lines that are fainter than those of a construction, as of the scenery, cost no more than this together.
/** What it costs a word to lie on another one, to be close to it, to lie on a vehicle at all and as far as it does, on a line and on each pixel of it; to turn, to be far, to stand at the tip of an arrow, where others end too, and to move, lately or at last. */
const COSTS = {
  kept: 900,
  word: 300,
  close: 9,
  touch: 20,
  body: 15,
  line: 9,
  pixel: 0.5,
  turn: 5,
  far: 0.6,
  tip: 12,
  move: [30, 10],
};
/** What it costs the line from a word to its place to cross a word, a vehicle or a line. */
const CROSSING = { kept: 120, word: 40, body: 6, arrow: 20, line: 2.5 };

/**
 * Where a word covers least, wholly within the picture; null where every place costs more than it may.
 * @param {Wish} wish
 * @param {Things} things
 * @param {{width: number, height: number}} picture
 * @param {string} [last] where it stood last,
 * @param {number} [beside] and beside which place, where places have come and gone since
 * @param {number} [move] what it costs to stand elsewhere
 * @param {number} [stays] what the place where it stood may cost, for it to stay there without a look at others
 * @returns {(Box & {place: number[], key: string, cost: number, same: boolean}) | null}
 */
export function freest(
  { wide, high, places, from = null, most = Infinity, tip = false },
  things,
  { width, height },
  last = "",
  beside = undefined,
  move = COSTS.move[0],
  stays = -Infinity,
) {
  /** @type {(Box & {place: number[], key: string, cost: number, same: boolean}) | null} */
  let best = null;
  let least = last ? SEEN * most : most; // A word that is seen does not vanish at once.
  const around = places.map(() => /** @type {Things | null} */ (null));
  const arrow = tip && places.length > 1;
  const [[headX, headY], [tailX, tailY]] = [places[0], places[places.length - 1]];
  const along = Math.atan2(headY - tailY, headX - tailX);
  const aways = places.map(([x, y]) => (arrow ? along : from ? Math.atan2(y - from[1], x - from[0]) : 0));
  const stood = /** @type {[number, number, number]} */ (last.split(" ").map(Number));
  stood[0] = beside ?? stood[0];
  const was = last && stood[0] in places ? stood.join(" ") : "";
  const tried = (/** @type {number} */ p, /** @type {number} */ far, /** @type {number} */ turn) => {
    const [place, angle] = [places[p], (2 * Math.PI * turn) / TURNS];
    const key = `${p} ${far} ${turn}`;
    const [before, aside] = [Math.cos(angle - aways[p]), Math.abs(Math.sin(angle - aways[p]))];
    let cost =
      (arrow && p === 0 ? COSTS.tip : 0) +
      COSTS.far * far +
      COSTS.turn * (1 - (arrow && p > 0 ? aside : before)) +
      (was && key !== was ? move : 0);
    const x = place[0] + Math.cos(angle) * (far + wide / 2) - wide / 2;
    const y = place[1] + Math.sin(angle) * (far + high / 2);
    const out = x < RIM || x + wide > width - RIM || y < high / 2 + RIM || y + high / 2 > height - RIM;
    if (out || cost >= least) return;
    const near = (around[p] ??= nearby(things, place, DISTANCES[DISTANCES.length - 1] + Math.max(wide, high)));
    const box = { x, y, wide, high, place };
    cost += covered(box, near, least - cost, key === was && !things.still ? PASSING : 1);
    if (cost < least) cost += crossing(box, near);
    if (cost < least) [best, least] = [{ ...box, key, cost, same: key === was }, cost];
  };
  if (was) tried(...stood); // Most often nothing is better.
  if (least <= stays && best) return best;
  for (const each of DISTANCES)
    for (let k = 0; k < places.length; k++)
      for (let other = 0; other < TURNS; other++)
        if (places.length < FEW || Math.cos((2 * Math.PI * other) / TURNS - aways[k]) > OUTWARD) tried(k, each, other);
  return best;
}

/**
 * What is near a place.
 * @param {Things} things
 * @param {number[]} place
 * @param {number} room [pixels of CSS]
 * @returns {Things}
 */
function nearby(things, place, room) {
  const near = (/** @type {Box[]} */ boxes) => boxes.filter((box) => gap(box, place) < room);
  const [low, top] = [place.map((each) => each - room), place.map((each) => each + room)];
  const lines = things.lines.filter(([a, b]) => inside(a, b, low, top) > 0);
  return { words: near(things.words), bodies: near(things.bodies), kept: near(things.kept), lines };
}

/**
 * What it costs a word to lie on things.
 * @param {Box} box
 * @param {Things} things
 * @param {number} most beyond which it does not matter how much
 * @param {number} part of what vehicles and lines cost
 */
function covered(box, { words, bodies, lines, kept }, most, part) {
  const { x, y, wide, high } = box;
  const half = (LETTERS * high) / 2 + CLEAR;
  let [boxes, vehicles, crossed, faint] = [0, 0, 0, 0];
  /** Where the piece of a line ends that was crossed last. @type {number[] | null} */
  let end = null;
  for (const each of kept) if (overlap(box, each) > 0) boxes += COSTS.kept;
  const wider = { ...box, x: x - BETWEEN, wide: wide + 2 * BETWEEN };
  const airy = { ...box, x: x - AIRY, wide: wide + 2 * AIRY, high: high + 2 * AIRY };
  for (const each of words) if (overlap(airy, each) > 0) boxes += overlap(wider, each) > 0 ? COSTS.word : COSTS.close;
  for (const each of bodies) {
    const under = overlap(box, each);
    if (under > 0) vehicles += (each.weight ?? 1) * (COSTS.touch + COSTS.body * under);
  }
  boxes += Math.min(part * vehicles, CAP);
  if (boxes >= most) return boxes;
  for (const [a, b, size, arrow, weight = 1] of lines) {
    const [rim, off] = [CLEAR + size / 2, half + size / 2];
    const long = inside(a, b, [x - rim, y - off], [x + wide + rim, y + off]);
    if (!(long > 0)) continue;
    const cost = weight * (arrow ? 1 : part) * ((a === end ? 0 : COSTS.line) + COSTS.pixel * long);
    end = b;
    if (weight < 1) faint = Math.min(faint + cost, FAINT);
    else crossed += cost;
    if (crossed >= CAP || boxes + faint + crossed >= most) break;
  }
  return boxes + Math.min(faint + crossed, CAP);
}

/** What it costs a word that things lie between it and its place: where no line leads there, an arrow. @param {Box & {place: number[]}} word @param {Things} things */
function crossing(word, { words, bodies, lines, kept }) {
  const [a, place] = tie(word);
  const before = Math.max(1 - ON / (Math.hypot(place[0] - a[0], place[1] - a[1]) || 1), 0);
  const b = a.map((each, c) => each + before * (place[c] - each)); // What it names passes through its place.
  let cost = 0;
  if (!leader(word)) {
    for (const [c, d, , arrow] of lines) if (arrow && meet(a, b, c, d)) cost += CROSSING.arrow;
    return cost;
  }
  for (const each of kept) if (through(a, b, each)) cost += CROSSING.kept;
  for (const each of words) if (through(a, b, each)) cost += CROSSING.word;
  for (const each of bodies) if (through(a, b, each)) cost += CROSSING.body;
  for (const [c, d, , arrow] of lines) if (meet(a, b, c, d)) cost += arrow ? CROSSING.arrow : CROSSING.line;
  return cost;
}

/**
 * The way from the rim of a word to its place.
 * @param {Box & {place: number[]}} word
 * @returns {[number[], number[]]}
 */
function tie({ x, y, wide, high, place }) {
  const within = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ size) =>
    Math.min(Math.max(value, low), low + size);
  const rim = [within(place[0], x, wide), within(place[1], y - 0.4 * high, 0.8 * high)];
  return [rim, place];
}

/** The line from a word to its place; null where the word stands beside it. @param {Box & {place: number[]}} word */
export function leader(word) {
  const way = tie(word);
  return Math.hypot(way[1][0] - way[0][0], way[1][1] - way[0][1]) > FAR ? way : null;
}

/** How far a box is from a place, at least. @param {Box} box @param {number[]} place */
const gap = ({ x, y, wide, high }, [left, top]) =>
  Math.max(x - left, left - x - wide, y - high / 2 - top, top - y - high / 2);

/** The part of the smaller one of two boxes that both cover. @param {Box} one @param {Box} other */
function overlap(one, other) {
  const wide = Math.min(one.x + one.wide, other.x + other.wide) - Math.max(one.x, other.x);
  const [above, below] = [Math.max(one.y - one.high / 2, other.y - other.high / 2), one.y + one.high / 2];
  const high = Math.min(below, other.y + other.high / 2) - above;
  if (wide <= 0 || high <= 0) return 0;
  return (wide * high) / Math.max(Math.min(one.wide * one.high, other.wide * other.high), 1);
}

/** Whether a line passes through a box. @param {number[]} a @param {number[]} b @param {Box} box */
const through = (a, b, { x, y, wide, high }) => inside(a, b, [x, y - high / 2], [x + wide, y + high / 2]) > 0;

/**
 * How much of a line lies within a rectangle, and a little more; 0 where it passes by.
 * @param {number[]} from
 * @param {number[]} to
 * @param {number[]} low
 * @param {number[]} high
 */
export function inside(from, to, low, high) {
  let [first, last] = [0, 1];
  for (let c = 0; c < 2; c++) {
    const way = to[c] - from[c];
    if (Math.abs(way) < 1e-9) {
      if (from[c] < low[c] || from[c] > high[c]) return 0;
      continue;
    }
    const [a, b] = [(low[c] - from[c]) / way, (high[c] - from[c]) / way];
    [first, last] = [Math.max(first, Math.min(a, b)), Math.min(last, Math.max(a, b))];
  }
  return first <= last ? (last - first) * Math.hypot(to[0] - from[0], to[1] - from[1]) + 1e-3 : 0;
}

/** Whether two lines cross. @param {number[]} a @param {number[]} b @param {number[]} c @param {number[]} d */
function meet(a, b, c, d) {
  const side = (/** @type {number[]} */ p, /** @type {number[]} */ q, /** @type {number[]} */ r) =>
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/**
 * The places of words, the most telling first: each keeps off those before it.
 * @template {Wish & {text: string, element?: {means?: string}}} T
 * @param {T[]} candidates
 * @param {Things} things to which the words are added
 * @param {{width: number, height: number}} picture
 * @param {Map<string, Stood>} stood where words stood last
 * @param {Map<string, Stood>} now where they stand
 * @param {number} [time] [ms]
 */
export function arranged(candidates, things, picture, stood, now, time = performance.now()) {
  let looks = LOOKS;
  const placed = candidates.flatMap((wish) => {
    const said = wish.element?.means ?? wish.text.split(/[,(\d]/, 1)[0]; // Numbers and plurals come and go.
    const name = `${said} ${[...now.keys()].filter((each) => each.startsWith(`${said} `)).length}`;
    const before = stood.get(name);
    const { key, since, place } = before ?? { key: "", since: time, place: wish.places[0] };
    const aways = wish.places.map(([x, y]) => Math.hypot(x - place[0], y - place[1]));
    const beside = aways.indexOf(Math.min(...aways));
    const gone = !things.still && !wish.tip && aways[beside] > GONE;
    const stays = before !== undefined && !things.still && (time - before.looked < REST || looks <= 0);
    if (gone || (stays && !key)) {
      const looked = gone ? time - REST + SETTLES : (before?.looked ?? time);
      now.set(name, { key: "", place: wish.places[beside], since: time, looked, cost: 0 });
      return [];
    }
    const aged = time - since < AGED ? 0 : 1;
    const least = !stays ? -Infinity : looks > 0 ? before.cost + WORSE[aged] : Infinity;
    const placement = freest(wish, things, picture, key, beside, COSTS.move[aged], least);
    const same = placement !== null && placement.same;
    const [looked, cost] =
      same && placement.cost <= least ? [before?.looked ?? time, before?.cost ?? 0] : [time, placement?.cost ?? 0];
    if (before && looked === time) looks -= 1;
    now.set(name, {
      key: placement?.key ?? "",
      place: placement?.place ?? wish.places[beside],
      since: same ? since : time,
      looked,
      cost,
    });
    if (!placement) return [];
    things.words.push(placement);
    const line = leader(placement);
    if (line) things.lines.push([...line, 1, true]);
    return [{ ...wish, ...placement, line, name }];
  });
  if (things.still || !stood.size) improve(placed, things, picture, now);
  for (const [name, each] of stood) if (!now.has(name) && time - each.looked < 2 * REST) now.set(name, each); // It may come back.
  return placed;
}

/**
 * Let each word look once more, now that it is known where the others stand: the first ones took room without a need.
 * @param {(Wish & Box & {place: number[], line: [number[], number[]] | null, name: string})[]} placed which is changed
 * @param {Things} things
 * @param {{width: number, height: number}} picture
 * @param {Map<string, Stood>} now which is changed
 */
function improve(placed, things, picture, now) {
  const leaders = new Set(placed.flatMap(({ line }) => line ?? []));
  const lines = things.lines.filter(([from]) => !leaders.has(from));
  for (const each of placed) {
    const others = placed.filter((it) => it !== each);
    const ways = others.flatMap(({ line }) => (line ? [/** @type {Line} */ ([...line, 1, true])] : []));
    const stood = /** @type {Stood} */ (now.get(each.name));
    const placement = freest(
      each,
      { ...things, words: others, lines: [...lines, ...ways] },
      picture,
      stood.key,
      undefined,
      COSTS.move[1],
    );
    if (!placement || placement.same) continue;
    const { key, place, cost } = placement;
    Object.assign(each, placement, { line: leader(placement) });
    now.set(each.name, { ...stood, key, place, cost });
  }
}
