// Names of the arrows and places of an explanation: which of them are written, in which words, the most telling first.

export const VELOCITY = "velocity";
export const DESIRED = "desired velocity";
export const AS_DESIRED = "velocity, as desired"; // Of a velocity that nothing changes.
export const GOAL = "where to go";
export const PREDICTED = "predicted position";
export const STEERING = "steering";
const MOST = 7; // Names at once,
const MOST_FORCES = 4; // and of them forces.
export const SAME = 12; // Tips, and marks, that are closer have one name [pixels of CSS].
const SHORT = 10; // Shorter arrows have none [pixels of CSS],
const INSIDE = 16; // and neither have marks within the ring of the vehicle.

/** Names of ranges: of those that are equal, one is written. */
const LOOKS = /^(looks [\d.e-]+ m far) \((.*)\)$/;

/** Names by what they tell, the most first; those that are not here come before the last one. */
const RANKS = [STEERING, VELOCITY, DESIRED, GOAL, "", "reacts to this"];

/** Names that say less than those of things and places: where marks coincide, the others are written. */
const VAGUE = [PREDICTED, GOAL, "reacts to this"];

/**
 * A name, where it would stand on the screen [pixels of CSS], whether it is that of a force, and whether it is that of a
 * ring, anywhere along which it stands.
 * @typedef {{text: string, at: number[], force?: boolean, ring?: boolean}} Name
 */

/** Whether a name is that of an arrow from the vehicle, or of a force. @param {{text: string, force?: boolean}} name */
export const isArrow = ({ text, force }) => force || [VELOCITY, AS_DESIRED, DESIRED].includes(text);

/** Whether names stand at one place. @param {{at: number[]}} one @param {{at: number[]}} other */
export const near = (one, other) => Math.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) < SAME;

/** How much a name tells: the less, the more. @param {Name} name */
export const rankOf = ({ text, force, ring }) =>
  force ? 0 : ring ? RANKS.length : RANKS.indexOf(RANKS.find((each) => each === text) ?? "");

/** The ranges in names, without who looks so far. @param {{text: string}[]} names */
const rangesOf = (names) => new Set(names.flatMap(({ text }) => LOOKS.exec(text)?.[1] ?? []));

/** Names of ranges, each without who looks so far where all are equal. @param {string[]} names */
export function briefly(names) {
  const [range, ...others] = rangesOf(names.map((text) => ({ text })));
  return (/** @type {string} */ name) => (range && !others.length && name.startsWith(range) ? range : name);
}

/**
 * The names that are written, with their words: one for marks that coincide, none at arrows that are too short to be seen,
 * none of the whole force where one behavior is all of it, and no vague one of what has a name already.
 * @template {Name} T
 * @param {T[]} names
 * @param {ArrayLike<number> | null} own where the vehicle is on the screen; null where it is not seen
 * @param {Name[]} [known] what has a name already, which says more than a vague one
 * @returns {T[]}
 */
export function chosen(names, own, known = []) {
  const length = (/** @type {Name} */ { at }) => (own ? Math.hypot(at[0] - own[0], at[1] - own[1]) : Infinity);
  const visible = names.filter((each) => each.ring || length(each) >= (isArrow(each) ? SHORT : INSIDE));
  const left = visible.filter(
    (each, k) =>
      (each.force || visible.findIndex(({ text, force }) => !force && text === each.text) === k) &&
      !(VAGUE.includes(each.text) && known.some((it) => near(it, each))) &&
      !(
        each.force &&
        each.text.startsWith(STEERING) &&
        visible.some((it) => it.force && it !== each && near(it, each))
      ),
  );
  const forces = left.filter(({ force }) => force);
  const longest = new Set([...forces].sort((a, b) => length(b) - length(a)).slice(0, MOST_FORCES));
  const vague = (/** @type {T} */ { text }) => VAGUE.indexOf(text);
  const marks = left.filter((each) => !isArrow(each) && !each.ring).sort((a, b) => vague(a) - vague(b));
  const first = (/** @type {T} */ each) => marks.find((it) => near(it, each)) ?? each;
  const alike = (/** @type {T} */ each) =>
    left.filter(({ text }) => LOOKS.exec(text)?.[1] === (LOOKS.exec(each.text)?.[1] ?? NaN));
  const others = left
    .filter((each) => !each.force && (!marks.includes(each) || first(each) === each))
    .filter((each) => (alike(each)[0] ?? each) === each)
    .sort((a, b) => rankOf(a) - rankOf(b));
  const ranges = rangesOf(left);
  const worded = (/** @type {T} */ each) => {
    const [, range, by] = LOOKS.exec(each.text) ?? [];
    if (by && ranges.size === 1) return range;
    if (by)
      return `${range} (${alike(each)
        .map(({ text }) => LOOKS.exec(text)?.[2])
        .join(", ")})`;
    return each.text;
  };
  return [...forces.filter((each) => longest.has(each)), ...others]
    .slice(0, MOST)
    .map((each) => ({ ...each, text: worded(each) }));
}
