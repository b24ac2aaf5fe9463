// Names of the arrows and places of an explanation: which of them are written, and the lines that lead from words to places.

const VELOCITY = "velocity";
const DESIRED = "desired velocity";
const BOTH = "velocity, nearly as desired";
const GOAL = "where to go";
const STEERING = "steering";
const MOST = 5; // Names at once.
const MOST_FORCES = 4; // Of them, forces.
const SAME = 12; // Tips that are closer have one name [pixels of CSS].
const ALIKE = 4; // Tips of velocities that are closer cannot be told apart [pixels of CSS].
const SHORT = 14; // Shorter arrows have none [pixels of CSS].
const FAR = 16; // A word that is farther from its place has a line to it [pixels of CSS].

/** Names of rings that are drawn. */
const RINGS = /(?: looks [\d.]+ m far|^how far it (?:sees|may stray)|this (?:circle|distance)|slows down from here)$/;

/** The names that are left where not all have room, the most telling first; those that are not here come after the first two. */
const RANKS = [VELOCITY, GOAL, "", DESIRED, "predicted"];

/** A name, where it would stand on the screen [pixels of CSS], and whether it is that of a force. @typedef {{text: string, at: number[], force?: boolean}} Name */

/**
 * The names that are written, with their words: one for both velocities where these coincide, none at arrows that are too
 * short to be seen, none of the whole force where one behavior is all of it, none of a goal that has a name already, and of
 * the others the most telling.
 * @template {Name} T
 * @param {T[]} names
 * @param {ArrayLike<number> | null} own where the vehicle is on the screen; null where it is not seen
 * @param {Name[]} [known] what has a name already
 * @returns {T[]}
 */
export function chosen(names, own, known = []) {
  const length = (/** @type {Name} */ { at }) => (own ? Math.hypot(at[0] - own[0], at[1] - own[1]) : Infinity);
  const near = (/** @type {Name} */ a, /** @type {Name} */ b, most = SAME) =>
    Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1]) < most;
  const arrow = (/** @type {Name} */ { text, force }) => force || text === VELOCITY || text === DESIRED;
  const seen = names.filter((each) => !arrow(each) || length(each) >= SHORT);
  const [now, wish] = [VELOCITY, DESIRED].map((text) => seen.find((each) => each.text === text && !each.force));
  const both = now && wish && near(now, wish, ALIKE);
  const left = seen.filter(
    (each, k) =>
      (each.force || seen.findIndex(({ text, force }) => !force && text === each.text) === k) &&
      !(both && each === wish) &&
      !(each.text === GOAL && known.some((it) => near(it, each))) &&
      !(each.force && each.text.startsWith(STEERING) && seen.some((it) => it.force && it !== each && near(it, each))),
  );
  const forces = left.filter(({ force }) => force).sort((a, b) => length(b) - length(a));
  const rank = (/** @type {Name} */ { text }) => {
    const place = RANKS.indexOf(text);
    return place < 0 ? RANKS.indexOf("") : place;
  };
  const others = left.filter(({ force }) => !force).sort((a, b) => rank(a) - rank(b));
  const kept = new Set([...forces.slice(0, MOST_FORCES), ...others].slice(0, MOST));
  left.filter(({ text }) => RINGS.test(text)).forEach((each) => kept.add(each)); // No ring is without a name.
  return left.filter((each) => kept.has(each)).map((each) => (both && each === now ? { ...each, text: BOTH } : each));
}

/**
 * The line from a word to its place; null where the word stands beside it.
 * @param {{x: number, y: number, wide: number, high: number, place: number[]}} word its left end, and its middle from above
 * @returns {[number[], number[]] | null} from the rim of the word to the place
 */
export function leader({ x, y, wide, high, place }) {
  const within = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ size) =>
    Math.min(Math.max(value, low), low + size);
  const rim = [within(place[0], x, wide), within(place[1], y - 0.4 * high, 0.8 * high)];
  return Math.hypot(place[0] - rim[0], place[1] - rim[1]) > FAR ? [rim, place] : null;
}
