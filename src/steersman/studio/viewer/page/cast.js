// The cast: which vehicles take part in an explanation, as its construction leads to them.

import { aligned } from "./frames.js";
import { clamp, cosine, dot, plus } from "./linear.js";
import { GOAL, PREDICTED } from "./names.js";
import { CHOSEN, RANGE, ROUND, linesOf, only } from "./outlines.js";

/** @typedef {import("./types.js").Element} Element */

const AROUND = [0.62, 0.68]; // Its radius, as a part of the length of a vehicle as it is drawn, and of its width.
const LEAST = 14; // It is no smaller than this [pixels of CSS].
const NEAR = 0.35; // A place is at a vehicle that is closer than this part of its length.
const FEW = 3; // A note with more rings is about all vehicles.
const LEADS = 0.985; // A line leads where the desired velocity does: the least cosine between them.
const CLOSE = 1.5; // A predicted position is at a vehicle that is closer than so many rings of the explained one.
const MOST = 4e6; // More pairs of places and vehicles are not looked at.

/**
 * Some points of a column of numbers.
 * @param {ArrayLike<number>} column
 * @param {number} d
 * @param {number} first
 * @param {number} count
 * @returns {number[][]}
 */
const some = (column, d, first, count) =>
  Array.from({ length: count }, (_, k) => Array.prototype.slice.call(column, d * (first + k), d * (first + k + 1)));

/** The middle of a closed line of equal pieces. @param {number[][]} line */
const middleOf = (line) =>
  line[0].map((_, c) => line.slice(1).reduce((sum, each) => sum + each[c], 0) / (line.length - 1));

/**
 * The places that elements lead to: marks, ends of open lines, tails of arrows, the middles of rings.
 * @param {Element[]} elements
 * @param {number} d
 * @returns {number[][]}
 */
function placesOf(elements, d) {
  return elements.flatMap(({ kind, position = [], tails = [], points = [], counts = [] }) => {
    if (kind === "texts") return [];
    const split = (/** @type {ArrayLike<number>} */ of, first = 0, count = of.length / d) => some(of, d, first, count);
    let first = 0;
    const ends = counts.flatMap((count) => {
      const all = split(points, first, count);
      first += count;
      const closed = count > 2 && all[0].every((each, c) => each === all[count - 1][c]);
      if (count <= ROUND) return closed ? [] : [all[0], all[count - 1]];
      return [middleOf(all)];
    });
    return [...split(position), ...split(tails), ...ends];
  });
}

/**
 * The rings of notes that are about single vehicles: few of a kind.
 * @param {Element[]} notes
 */
export const ringsOf = (notes) =>
  notes.filter(({ kind, counts = [] }) => kind === "lines" && counts.length <= FEW && counts.every((it) => it > ROUND));

/**
 * The number of the first place that is no farther left than this.
 * @param {number[][]} places from left to right
 * @param {number} x
 */
function firstFrom(places, x) {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle][0] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The vehicles that count in the explanation, by population, without the explained one: one at another place of it, such as a
 * goal or the end of a line, is there by chance.
 * @param {Pick<import("./stage.js").Stage, "after" | "before" | "noted" | "scene" | "selected" | "telling">} stage
 * @returns {Map<string, Set<number>>}
 */
export function castOf({ after, before, noted, scene, selected, telling }) {
  /** @type {Map<string, Set<number>>} */
  const cast = new Map();
  const d = scene?.dimensions ?? 2;
  const counting = telling.filter(({ means }) => means === CHOSEN);
  const shown = selected ? [...counting, ...ringsOf(noted)] : [];
  const places = placesOf(shown, d).filter(([x]) => Number.isFinite(x));
  places.sort(([a], [b]) => a - b);
  for (const [name, bodies] of Object.entries(after?.populations ?? {})) {
    const ids = new Set();
    const frames = [bodies, before?.populations[name]].flatMap((it) => (it && it.n * places.length < MOST ? [it] : []));
    for (const { n, id, position, size } of frames)
      for (let k = 0; k < n; k++) {
        const near = NEAR * (size[k] || 0);
        const at = (/** @type {number[]} */ place) => {
          for (let c = 0; c < d; c++) if (!(Math.abs(place[c] - position[d * k + c]) < near)) return false;
          return true;
        };
        let next = firstFrom(places, position[d * k] - near);
        while (next < places.length && places[next][0] < position[d * k] + near && !at(places[next])) next++;
        const there = next < places.length && at(places[next]);
        if (there && !(id[k] === selected?.id && name === selected.population)) ids.add(id[k]);
      }
    if (ids.size) cast.set(name, ids);
  }
  return cast;
}

/**
 * What tells the reason: without details, without a predicted position on the vehicle or on its velocity, which says the same,
 * without a line ahead that the velocity covers, and without the cross of a goal where a ring has the same name for the same behavior, nor its word where a position is predicted, nor a goal within its ring.
 * @param {Element[]} elements
 * @param {number[]} own place of the vehicle
 * @param {number[]} tip of its velocity
 * @param {number} near what is nearer to a place is there [m]
 * @param {number[] | null} [wish] tip of the desired velocity, from which on lines lead where it does
 */
export function essence(elements, own, tip, near, wish = null) {
  const way = plus(tip, own, -1);
  const away = (/** @type {number[]} */ one, /** @type {number[]} */ other) => Math.hypot(...plus(one, other, -1));
  const hidden = (/** @type {number[]} */ at) => {
    const part = clamp(dot(plus(at, own, -1), way) / (dot(way, way) || 1), 0, 1);
    return away(at, plus(own, way, part)) < near;
  };
  const rings = elements.flatMap((each) => {
    if (each.kind !== "lines" || !(each.says === PREDICTED || each.means === CHOSEN)) return [];
    const all = linesOf(each, own.length).filter((line) => line.length > 2);
    return all.map((line) => {
      const at = middleOf(line);
      const size = Math.max(...line.map((corner) => away(corner, at)));
      return { each, at, size, drop: each.says === PREDICTED && hidden(at) };
    });
  });
  for (const ring of rings)
    if (ring.each.says === PREDICTED)
      ring.drop ||= rings.some(({ each, at }) => each.means === CHOSEN && away(at, ring.at) < CLOSE * near);
  const at = (/** @type {number[]} */ place, /** @type {boolean} */ drop, /** @type {Element} */ { kind, of, says }) =>
    rings.some(({ each, ...ring }) => {
      const same = each.of === of && (each.says === says || (kind === "texts" && each.says === PREDICTED));
      return same && ring.drop === drop && away(ring.at, place) < near + (drop ? ring.size : 0);
    });
  const covered = elements.filter(
    (each) => each.means === RANGE && String(each.counts) === "2" && linesOf(each, own.length)[0].every(hidden),
  );
  const kept = elements.filter((each) => {
    if (covered.some(({ means, of, says }) => each.means === means && each.of === of && each.says === says))
      return false;
    const { kind, counts, detail, means, of, says = "" } = each;
    if (detail || rings.some((ring) => ring.drop && ring.each === each)) return false;
    const mark = means === GOAL && elements.find((it) => it.kind === "marks" && it.of === of && it.says === says);
    const { position = [], points = [] } = mark || each;
    const place = Array.from(position.length ? position : points.slice(-own.length));
    if (says === PREDICTED) return !at(place, true, each);
    if (means !== GOAL || place.length !== own.length) return true;
    const line = kind === "lines";
    return !((away(place, own) < near && !(line && String(counts) !== "2")) || (!line && at(place, false, each)));
  });
  return kept.flatMap((each) => {
    if (!wish || each.kind !== "lines" || each.means !== GOAL || String(each.counts) !== "2") return [each];
    const [from, to] = linesOf(each, own.length)[0];
    const leads = cosine(plus(wish, own, -1), plus(to, own, -1)) > LEADS;
    if (!leads || away(from, own) > near) return [each];
    return away(to, own) > away(wish, own) + near ? [{ ...each, points: Float32Array.from([...wish, ...to]) }] : [];
  });
}

/**
 * An element in which the rings around vehicles, and their words, are where these are drawn by now, and the rings fit them;
 * other elements as they are. What is beyond a seam from its place becomes an element of its own.
 * @param {import("./stage.js").Stage} stage
 * @param {Element} element
 * @param {number} [time] of its instant [s]: frames come sooner, or later
 * @returns {Element[]}
 */
export function fittedRings(stage, element, time = stage.after?.time) {
  const { kind, means, points = [], position = [], counts = [] } = element;
  const { scene, after, before } = stage;
  const { dimensions: d = 2, period = [] } = scene ?? {};
  const named = kind === "texts" && position.length === d;
  const rings = kind === "lines" && counts.some((count) => count > ROUND);
  if (means !== CHOSEN || !(named || rings)) return [element];
  const span = after && before ? after.time - before.time : 0;
  const later = span > 0 && after && time !== undefined ? (time - after.time) / span : 0; // Than the frame, in frames.
  const bodies = Object.entries(after?.populations ?? {}).flatMap(([name, each]) => {
    const was = before?.populations[name];
    const then = (later && was ? aligned(was, each) : each).position;
    return each.n * counts.length < MOST ? [{ ...each, drawn: stage.sizes(each), then }] : [];
  });
  const nearest = (/** @type {number} */ way, /** @type {number} */ c) =>
    period[c] ? way - period[c] * Math.round(way / period[c]) : way;
  /**
   * The radius of the ring around the vehicle that was at a place, or an image of it, where it is, and whether that is beyond a seam.
   * @param {number[]} place
   * @returns {{radius: number, middle: number[], across: boolean}}
   */
  const found = (place) => {
    for (const { n, position: at, then, drawn, width } of bodies)
      for (let k = 0; k < n; k++) {
        let far = 0;
        for (let c = 0; c < d; c++) {
          const now = at[d * k + c];
          far += nearest(place[c] - now - later * nearest(now - then[d * k + c], c), c) ** 2;
        }
        if (!(Math.sqrt(far) < NEAR * drawn[k])) continue;
        const radius = Math.max(AROUND[0] * drawn[k], AROUND[1] * (width?.[k] ?? 0), LEAST / stage.meterAt(place));
        const middle = place.map((_, c) => at[d * k + c]);
        return {
          radius,
          middle,
          across: middle.some((x, c) => period[c] > 0 && Math.abs(x - place[c]) > period[c] / 2),
        };
      }
    return { radius: 0, middle: place, across: false };
  };
  if (named) {
    const { middle, across } = found(Array.from(position));
    return [{ ...element, position: Float32Array.from(middle), ...(across ? { across } : {}) }];
  }
  const made = Float32Array.from(points);
  /** Whether each line is beyond a seam. @type {boolean[]} */
  const beyond = [];
  let first = 0;
  for (const count of counts) {
    const line = some(points, d, first, count);
    const there = middleOf(line);
    const { radius, middle, across } = count > ROUND ? found(there) : { radius: 0, middle: there, across: false };
    beyond.push(across);
    const size = Math.hypot(...there.map((x, c) => line[0][c] - x));
    if (radius > 0)
      line.forEach((each, k) => {
        const angle = (2 * Math.PI * k) / (count - 1);
        const way = size > 0 ? plus(each, there, -1) : [Math.cos(angle), Math.sin(angle), 0]; // A body may have no size.
        middle.forEach((x, c) => (made[d * (first + k) + c] = x + (radius / (size || 1)) * way[c]));
      });
    first += count;
  }
  const whole = { ...element, points: made };
  const rows = (/** @type {boolean} */ across) => beyond.flatMap((each, k) => (each === across ? [k] : []));
  if (!beyond.includes(true)) return [whole];
  const lines = linesOf(whole, d);
  const here = rows(false).length ? [only(whole, lines, rows(false))] : [];
  return [...here, { ...only(whole, lines, rows(true)), across: true }];
}
