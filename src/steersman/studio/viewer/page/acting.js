// Which parts of an explanation are drawn: those that act now, or all of one that was picked.

import { leavesOf } from "./tour.js";

/** @typedef {import("./why.js").Explanation} Explanation */
/** @typedef {import("./why.js").WhyNode} WhyNode */

const MOST = 3; // Parts of a sum that are drawn.
const SHARE = 0.2; // Weaker ones than this part of the strongest are not.

/** Forces below this part of a large one for the vehicle steer nothing. */
export const QUIET = 2e-3;

/** How large the granted force of a part is. @param {WhyNode} node */
export const kept = ({ contribution }) => Math.hypot(...contribution);

/**
 * The behaviors that act now, the strongest of a sum; the one that decides where nothing is to be corrected.
 * @param {Explanation} told
 * @param {number} least forces below it steer nothing [N]
 * @returns {WhyNode[]}
 */
export function acting({ tree, leaf }, least) {
  if (!tree) return [];
  const leaves = leavesOf(tree);
  const greatest = Math.max(...leaves.map(kept));
  if (!(greatest > least)) return leaves[leaf] ? [leaves[leaf]] : [];
  return leaves
    .filter((each) => kept(each) >= SHARE * greatest)
    .sort((a, b) => kept(b) - kept(a))
    .slice(0, MOST);
}

/**
 * A node and all below it, parents first.
 * @param {WhyNode} node
 * @returns {WhyNode[]}
 */
export const walk = (node) => [node, ...node.parts.flatMap(walk)];

/**
 * Keys of the nodes whose construction is drawn: the root, what acts now and what is above it; of a part that was picked, all
 * below it as well, its conditions, and what it knows.
 * @param {Explanation} told
 * @param {WhyNode[]} active behaviors that act now
 * @param {WhyNode | null} picked
 * @returns {Set<number>}
 */
export function drawn({ tree }, active, picked) {
  if (!tree) return new Set();
  if (picked) return new Set([tree.key, ...walk(picked).flatMap(({ key, besides = [] }) => [key, ...besides])]);
  const above = walk(tree).filter((node) => walk(node).some((each) => active.includes(each)));
  return new Set([tree.key, ...above.map(({ key }) => key)]);
}
