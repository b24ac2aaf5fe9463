// Which parts of an explanation are drawn: those that act now, or all of one that was picked.

import { dot, plus, unit } from "./linear.js";

/** @typedef {import("./why.js").Explanation} Explanation */
/** @typedef {import("./why.js").WhyNode} WhyNode */

const MOST = 3; // Parts of a sum that are drawn.
const SHARE = 0.2; // Weaker ones than this part of the strongest are not.

/** Below this part of a large force, a motion is barely seen; a vehicle at rest stays so. */
export const BARELY = 0.05;

/** Faster than this part of the top speed is as fast as can be. */
export const FAST = 0.97;

/** Forces below this part of a large one for the vehicle steer nothing. */
export const QUIET = 2e-3;

/** How large the granted force of a part is. @param {WhyNode} node */
export const amount = ({ contribution }) => Math.hypot(...contribution);

/**
 * The behaviors without parts, or that ask none of these; in place of their parts those that choose a motion of their own for them.
 * @param {WhyNode} node
 * @returns {WhyNode[]}
 */
export function doers(node) {
  if (node.parts.every(({ evaluated }) => evaluated === false)) return [{ ...node, parts: [] }];
  const parts = node.parts.flatMap(doers);
  const served = parts.reduce((best, each) => (amount(each) > amount(best) ? each : best));
  const purpose = `${served.purpose || "go on"} ${node.purpose}`;
  return node.purpose ? [{ ...node, parts: [], purpose, served: served.served ?? served.key }] : parts;
}

/**
 * The one that decides: what serves the force most, and the sentence names; of no force, that which is asked and chosen.
 * @param {Explanation} explanation
 * @returns {WhyNode | undefined}
 */
export const decider = (explanation) => serving(explanation)[0] ?? chosen(explanation);

/**
 * The one that is asked and chosen, as one of these: itself, or that which chooses for it.
 * @param {Explanation} explanation
 * @returns {WhyNode | undefined}
 */
function chosen({ tree, leaf }) {
  const it = tree && leavesOf(tree)[leaf];
  const above = it ? walk(tree).filter((node) => walk(node).includes(it)) : [];
  return tree ? doers(tree).find(({ key }) => above.some((each) => each.key === key)) : undefined;
}

/**
 * The velocity that the law desires; where none is stated, the whole of what is asked for leads to it.
 * @param {Pick<Explanation, "force" | "tree" | "velocity" | "desired" | "response">} explanation
 */
export const desiredOf = ({ force, tree, velocity = [], desired, response = 0 }) =>
  desired ?? force.map((each, c) => (velocity[c] ?? 0) + response * (tree?.contribution[c] ?? each));

/**
 * An explanation with the forces that move its vehicle: the ground says how high one upon it is, and no force.
 * @template {Pick<Explanation, "force" | "tree" | "on_ground" | "velocity" | "desired" | "response">} T
 * @param {T} explanation
 * @param {number[]} [up] normal of the ground
 * @returns {T}
 */
export function grounded(explanation, up) {
  const { force, on_ground, tree, desired, velocity } = explanation;
  if (!on_ground || !up || force.length < 3) return explanation;
  const along = (/** @type {number[]} */ each) => plus(each, up, -dot(each, up) / (dot(up, up) || 1));
  /** @type {(node: WhyNode) => WhyNode} */
  const part = ({ raw, contribution, parts, ...node }) => ({
    ...node,
    raw: along(raw),
    contribution: along(contribution),
    parts: parts.map(part),
  });
  const change = desired && along(plus(desired, velocity, -1));
  return { ...explanation, force: along(force), desired: change && plus(velocity, change), tree: tree && part(tree) };
}

/**
 * The part of a force that changes the motion of a vehicle: at its top speed it goes no faster, and is only turned.
 * @param {number[]} force
 * @param {{velocity?: number[], pace: number | null, full: number}} explanation
 */
export function effectOf(force, { velocity = [], pace, full }) {
  const way = unit(force.map((_, c) => velocity[c] ?? 0));
  const ahead = dot(force, way);
  const aside = plus(force, way, -ahead);
  return pace !== null && pace > FAST && ahead > 0 && Math.hypot(...aside) > BARELY * full ? aside : force;
}

/**
 * The behaviors that act now: first what serves the force most; the strongest where there is none.
 * @param {Explanation} explanation
 * @returns {WhyNode[]}
 */
export function serving(explanation) {
  const { tree, full, force } = explanation;
  if (!tree) return [];
  const steers = Math.hypot(...force) > QUIET * full;
  const effect = effectOf(force, explanation);
  const serves = (/** @type {WhyNode} */ each) => (steers ? dot(each.contribution, effect) : amount(each));
  const all = doers(tree).filter((each) => amount(each) > QUIET * full);
  return all.sort((a, b) => serves(b) - serves(a));
}

/**
 * The behaviors that act now, the strongest of a sum; the one that decides where nothing is to be corrected.
 * @param {Explanation} explanation
 * @param {number} least forces below it steer nothing [N]
 * @returns {WhyNode[]}
 */
export function acting(explanation, least) {
  if (!explanation.tree) return [];
  const all = doers(explanation.tree);
  const greatest = Math.max(...all.map(amount));
  if (!(greatest > least)) return [decider(explanation) ?? []].flat();
  return all
    .filter((each) => amount(each) >= SHARE * greatest)
    .sort((a, b) => amount(b) - amount(a))
    .slice(0, MOST);
}

/** @param {WhyNode} node @returns {WhyNode[]} */
export const leavesOf = (node) => (node.parts.length ? node.parts.flatMap(leavesOf) : [node]);

/**
 * A node and all below it, parents first.
 * @param {WhyNode} node
 * @returns {WhyNode[]}
 */
export const walk = (node) => [node, ...node.parts.flatMap(walk)];

/**
 * Keys of the nodes whose construction is drawn: the root, what acts now and what is above it, and of a behavior that chooses a
 * motion for its parts the one that this serves; of a part that was picked, all
 * below it as well, its conditions, and what it knows.
 * @param {Explanation} explanation
 * @param {WhyNode[]} active behaviors that act now
 * @param {WhyNode | null} picked
 * @returns {Set<number>}
 */
export function drawn({ tree }, active, picked) {
  if (!tree) return new Set();
  if (picked) return new Set([tree.key, ...walk(picked).flatMap(({ key, besides = [] }) => [key, ...besides])]);
  const acts = (/** @type {WhyNode} */ { key }) => active.some((each) => each.key === key);
  const there = walk(tree).filter((node) => walk(node).some(acts));
  const below = (/** @type {WhyNode} */ node) => {
    const served = active.find(({ key }) => key === node.key)?.served;
    return walk(node).filter((each) => served === undefined || walk(each).some(({ key }) => key === served));
  };
  return new Set([tree.key, ...there.flatMap((node) => (acts(node) ? below(node) : [node])).map(({ key }) => key)]);
}
