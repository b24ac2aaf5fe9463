// The cast: which vehicles take part in an explanation, as its construction leads to them.

import { ROUND } from "./outlines.js";

/** @typedef {import("./types.js").Element} Element */

const NEAR = 0.35; // A place is at a vehicle that is closer than this part of its length.
const FEW = 3; // A note with more rings is about all vehicles.
const MOST = 4e6; // More pairs of places and vehicles are not looked at.

/**
 * The places that elements lead to: marks, ends of open lines, tails of arrows, the middles of rings.
 * @param {Element[]} elements
 * @param {number} d
 * @returns {number[][]}
 */
function placesOf(elements, d) {
  return elements.flatMap(({ kind, position = [], tails = [], points = [], counts = [] }) => {
    if (kind === "texts") return [];
    const split = (/** @type {ArrayLike<number>} */ of, first = 0, count = of.length / d) =>
      Array.from({ length: count }, (_, k) => Array.prototype.slice.call(of, d * (first + k), d * (first + k + 1)));
    let first = 0;
    const ends = counts.flatMap((count) => {
      const all = split(points, first, count);
      first += count;
      const closed = count > 2 && all[0].every((each, c) => each === all[count - 1][c]);
      if (count <= ROUND) return closed ? [] : [all[0], all[count - 1]];
      return [all[0].map((_, c) => all.slice(1).reduce((sum, each) => sum + each[c], 0) / (count - 1))];
    });
    return [...split(position), ...split(tails), ...ends];
  });
}

/**
 * The rings of notes that are about single vehicles: few of a kind.
 * @param {Element[]} notes
 */
const ringsOf = (notes) =>
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
 * The vehicles at the places of the explanation, by population, without the explained one.
 * @param {import("./stage.js").Stage} stage
 * @returns {Map<string, Set<number>>}
 */
export function castOf({ after, before, extra, scene, selected, telling }) {
  /** @type {Map<string, Set<number>>} */
  const cast = new Map();
  const d = scene?.dimensions ?? 2;
  const shown = selected ? [...telling, ...ringsOf(extra.get("notes")?.elements ?? [])] : [];
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
