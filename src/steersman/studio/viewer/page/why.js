// Why: the explanation of a vehicle, as a tree with bars and as arrows in the picture, with their names.

import { QUIET, acting, decider, doers, drawn, serving, walk } from "./acting.js";
import { html, meaning, section, short } from "./controls.js";
import { Arrows } from "./populations.js";
import { nearest, outlines, parted } from "./outlines.js";
import { cssOf, tone } from "./palette.js";
import { Reason } from "./reason.js";
import { Shares } from "./shares.js";
import { TONES } from "./theme.js";
import { Tour, leavesOf } from "./tour.js";

/** @typedef {import("./types.js").Element} Element */

const BORDER = 12; // From the tip of an arrow to the border of the picture, and the shortest arrow for its sake [pixels of CSS].
const BELOW = 72; // The same to the lower border, where the sentence stands.
const FARTHEST = 0.6; // The longest arrow, as a part of half of the picture: longer ones would leave it.
const FULL = 100; // The arrow of the largest force that a vehicle can have [pixels of CSS].
const MOST = 1.7; // The longest arrow, in those of the largest force.
const STUB = 16; // The shortest arrow of a force, which says its share [pixels of CSS].
const SHORTEST = 30; // The longer one of the velocities reaches at least so far beyond the ring [pixels of CSS],
const FITS = 0.38; // and no farther than this part of the smaller side of the picture.
const VELOCITIES = new Set(["present velocity", "desired velocity", "steering"]); // Meanings of velocities, and of the line between them.
const ALIKE = 0.03; // Arrows that differ by less than this part are one.
const CALM = "no force is needed now"; // What is said of a vehicle on which nearly no force acts,
const CANCELED = "forces cancel out"; // and of one on which forces act that are nothing together.
const APART = 10; // Tips of velocities that are closer have no line between them [pixels].
const STEERING = "steering (length: share of its limit)";
const RINGED = "the explained vehicle"; // In the ring that it has.
const OF_LIMIT = 0.1; // This part of its largest force is a large force for a vehicle.

/**
 * @typedef {object} Change
 * @property {string} mode the mode that it is in
 * @property {number} seconds for how long
 * @property {string} left the mode that it left; "" where no transition took it there
 * @property {string} because the condition of the transition
 */

/**
 * @typedef {object} WhyNode
 * @property {number} key of the node in its tree
 * @property {string} label
 * @property {string} words the label as words
 * @property {string} [purpose] of a behavior: "It turns left to ..."; "" where none is known
 * @property {number} weight
 * @property {boolean} evaluated
 * @property {boolean} acts
 * @property {number[]} raw
 * @property {number[]} contribution
 * @property {Change | null} change of a state machine: the mode, and how it came there
 * @property {number[]} [besides] keys of its conditions, and of what it knows
 * @property {WhyNode[]} parts
 */

/**
 * @typedef {object} Explanation
 * @property {string} population
 * @property {number} id
 * @property {WhyNode | null} tree
 * @property {number[]} force
 * @property {number | null} max_force
 * @property {number} full a large force for it [N]
 * @property {number | null} pace its speed, as a part of its top speed; null where it has none
 * @property {boolean} [on_ground] whether it moves upon a surface
 * @property {string} winner
 * @property {number} leaf the number of the behavior that decides, among those without parts; -1 for none
 * @property {number} scale
 * @property {import("./types.js").Element[]} near how far it looks
 * @property {import("./types.js").Element[]} elements what else it looks at
 * @property {[string, string][]} legend colors of that, and what they mean
 */

export class Why {
  /**
   * @param {import("./stage.js").Stage} stage
   * @param {() => void} forget called when the explanation ends
   */
  constructor(stage, forget) {
    this.stage = stage;
    this.forget = forget;
    this.inside = section("Why", true);
    /** @type {Explanation | null} */
    this.told = null;
    this.follow = html("input", {
      type: "checkbox",
      title: "Keep it in the middle of the picture (f)",
    });
    this.follow.addEventListener("change", () => {
      stage.following = this.follow.checked;
      stage.dirty = true;
    });
    this.reason = new Reason();
    this.tour = new Tour(stage, () => this.draw());
    const title = "What the behavior that decides sees, wants and does, in three steps; then the others (g)";
    this.ways = html("button", {
      textContent: "Tour",
      title,
      on: { click: () => this.tour.next() },
    });
    const away = html("button", {
      textContent: "Close",
      title: "Explain nobody (escape)",
      on: { click: this.forget },
    });
    this.head = html("div", { className: "buttons" }, this.ways, html("label", {}, this.follow, " Follow"), away);
    this.title = html("p", { className: "hint" });
    this.shares = new Shares((key) => this.pick(key));
    this.meanings = html("div", { className: "meanings" });
    this.rest = html("div", {}, this.title, this.shares.inside, this.meanings);
    /** The key of the part whose whole construction is drawn; null where that is what acts. @type {number | null} */
    this.picked = null;
    this.show(null);
  }

  /** @param {Explanation | null} told */
  show(told) {
    const { told: before } = this;
    if (before?.population !== told?.population || before?.id !== told?.id) this.picked = null;
    this.told = told;
    this.tour.show(told);
    if (!told) {
      this.inside.replaceChildren(
        html("p", {
          className: "hint",
          textContent: "Click a vehicle to see why it is steered as it is.",
        }),
      );
      this.draw();
      return;
    }
    this.follow.checked = this.stage.following;
    this.ways.hidden = !told.tree || !this.tour.abouts.size;
    const greatest = Math.max(0, ...(told.tree ? sizes(told.tree) : []));
    const beside = told.max_force === null ? greatest : OF_LIMIT * told.full;
    const size = short(Math.hypot(...(told.force ?? [])), beside);
    const most = told.max_force === null ? "" : ` of at most ${short(told.max_force)} N`;
    const quiet = quietly(told);
    const state = told.tree ? quiet || `${size} N${most}` : "it is not steered";
    this.title.textContent = `${told.population}, vehicle ${told.id}: ${state}`;
    const least = QUIET * (told.full ?? 0);
    const full = Math.max(told.full ?? 0, greatest) || 1;
    this.shares.show(told, { full, beside, quiet: least, picked: this.picked });
    const { near, sketch, why } = this.stage.layers;
    const seen = new Set(this.elements(told).map(({ means }) => means));
    const meanings = (near || sketch ? (told.legend ?? []) : [])
      .filter(([, words]) => seen.has(words))
      .map(([shade, words]) => meaning(cssOf(shade), words));
    if (told.tree && why && quiet !== CALM) meanings.unshift(meaning(cssOf(TONES.steering[0]), STEERING));
    if (told.tree && why) meanings.unshift(meaning("var(--faint)", "how far it looks", RINGED));
    this.meanings.hidden = !meanings.length;
    this.meanings.replaceChildren(...meanings);
    // The buttons stay as they are: one that is made anew between press and release hears of no click.
    if (this.head.parentElement !== this.inside) this.inside.replaceChildren(this.rest, this.head);
    this.draw();
  }

  /** Show the whole construction of a part, or no more of it. @param {number} key */
  pick(key) {
    this.picked = this.picked === key ? null : key;
    if (this.told) this.show(this.told);
  }

  /** What is drawn of the construction: of the part that the sentence names, or of one that was picked. @param {Explanation} told */
  elements(told) {
    const { near, sketch } = this.stage.layers;
    const named = serving(told)[0] ?? decider(told);
    const keys = drawn(told, named ? [named] : [], partOf(told, this.picked));
    const all = [...(near ? (told.near ?? []) : []), ...(sketch ? (told.elements ?? []) : [])];
    return all.filter(({ of }) => of === undefined || keys.has(of));
  }

  /** The reason as a sentence, where no tour tells more. */
  tell() {
    const { told, stage, tour } = this;
    const bodies = told && !tour.on && stage.layers.why ? stage.after?.populations[told.population] : undefined;
    const row = bodies ? bodies.id.indexOf(/** @type {Explanation} */ (told).id) : -1;
    if (!bodies || row < 0) return this.reason.show(null);
    const d = bodies.position.length / bodies.n;
    const of = (/** @type {Float32Array} */ column) => [...column.subarray(d * row, d * row + d)];
    return this.reason.show(told, of(bodies.forward), bodies.up && of(bodies.up));
  }

  /** What it looks at, and the arrows, which follow it. */
  draw() {
    const { told, stage } = this;
    this.tell();
    if (!told || !told.tree) return stage.decorate("why");
    const { why } = stage.layers;
    const d = stage.scene?.dimensions ?? 2;
    const all = (this.tour.on ? this.tour.elements(told) : this.elements(told)).map((each) => nearest(each, d));
    const { rest, spheres } = d === 3 ? parted(all) : { rest: all, spheres: [] };
    const isVelocity = ({ means = "" }) => VELOCITIES.has(means);
    const elements = rest.filter((each) => !isVelocity(each));
    return stage.decorate("why", elements, () => [
      ...(stage.camera && "eye" in stage.camera ? outlines(visible(spheres, stage.camera), stage.camera.eye) : []),
      ...this.velocities(rest.filter(isVelocity), told),
      ...(why ? this.arrows(told) : []),
    ]);
  }

  /**
   * The velocities, and the line between them, from where the vehicle is now, in one proportion in which they are seen.
   * @param {Element[]} elements
   * @param {Explanation} told
   */
  velocities(elements, told) {
    const { camera, layers } = this.stage;
    const who = { population: told.population, id: told.id };
    const place = this.stage.placeOf(who);
    if (!camera || !place) return [];
    const pixel = 1 / camera.meter(place);
    const rim = this.stage.rim(who);
    const bounds = [(rim + SHORTEST) * pixel, FITS * Math.min(camera.width, camera.height) * pixel];
    const made = fitted(elements, place, bounds, 0.7 * rim * pixel);
    return [...made, ...(layers.why && this.tour.on ? difference(made, told, pixel) : [])];
  }

  /**
   * What is kept of what the behaviors that act ask for, the one that decides boldest, and the force that steers; of a part
   * that was picked also what it asks for, thin.
   * @param {Explanation} told
   */
  arrows(told) {
    const { stage } = this;
    const tail = stage.placeOf({ population: told.population, id: told.id });
    if (!tail || !told.tree) return [];
    const [d, reach] = [tail.length, stage.scene?.reach ?? 1];
    const arrows = new Arrows(d, true);
    const color = tone("steering"); // Behaviors are told apart by the words beside their arrows.
    const { camera, stretch = 1 } = stage;
    const meter = camera?.meter(tail) ?? Infinity;
    const quiet = quietly(told);
    const pixel = Number.isFinite(meter) ? 1 / meter : 0;
    const share = pixel && told.full > 0 ? (stretch * FULL * pixel) / told.full : told.scale;
    const rim = pixel && pixel * stage.rim({ population: told.population, id: told.id }); // Forces begin there: the vehicle is seen.
    const picked = partOf(told, this.picked);
    const own = picked ? leavesOf(picked) : acting(told, QUIET * (told.full ?? 0));
    const asked = picked ? own.map(({ raw }) => raw) : [];
    const size = (/** @type {number[]} */ force) => Math.hypot(...force);
    const greatest = Math.max(...[told.force, ...asked, ...own.map(({ contribution }) => contribution)].map(size));
    const room = stretch > 1 && camera ? (Math.min(camera.width, camera.height) / 2 - BORDER) * pixel - rim : Infinity;
    const longest = Math.min(FARTHEST * reach, pixel ? stretch * MOST * FULL * pixel : Infinity, room);
    const scale = Math.min(share, longest / (greatest || 1)); // One for all: their lengths compare.
    const small = (/** @type {number[]} */ force) => size(force) * scale < STUB * pixel;
    const end = (/** @type {number[]} */ force) => {
      const above = within(camera, tailOf(force), force, stretch > 1 ? BORDER : BELOW);
      return Number.isFinite(above) ? above : within(camera, tailOf(force), force);
    };
    const scaleOf = (/** @type {number[]} */ force) =>
      Math.min(small(force) ? (STUB * pixel) / (size(force) || 1) : scale, end(force));
    const tailOf = (/** @type {number[]} */ force) =>
      tail.map((each, c) => each + (rim * force[c]) / (size(force) || 1));
    const arrow = (/** @type {number[]} */ force, /** @type {number} */ wide) => {
      arrows.add(tailOf(force), 0, force, 0, scaleOf(force), 1e-3 * reach * (pixel ? 0 : 1), [...color, 0.95], wide);
    };
    /** @type {Element[]} */
    const words = [];
    const text = (/** @type {string} */ word, /** @type {number[]} */ place, shade = color) => ({
      ...{
        kind: "texts",
        layer: 9,
        force: true,
        position: Float32Array.from(place),
        words: [word],
      },
      color: Float32Array.from(shade),
    });
    const name = (/** @type {string} */ label, /** @type {number[]} */ force, shared = true) => {
      const place = tailOf(force).map((each, c) => each + scaleOf(force) * force[c]);
      if (size(force) > QUIET * told.full)
        words.push(text(shared && small(force) ? `${label}${shareOf(force, told)}` : label, place));
    };
    const all = doers(told.tree);
    if (this.tour.on && this.tour.step < 2) {
      const part = leavesOf(told.tree)[this.tour.leaf] ?? all[0];
      if (this.tour.step === 1) {
        arrow(part.raw, 1.3);
        name(part.words, part.raw);
      }
      return [...arrows.elements(), ...words];
    }
    if (quiet === CALM) return words;
    if (!quiet) arrow(told.force, 1.9);
    const [only] = all;
    const one = all.length === 1;
    const beyond = one && size(only.contribution) > (1 + ALIKE) * size(told.force);
    const shortened = only.contribution.map((each) => (each * size(told.force)) / (size(only.contribution) || 1));
    const cut = !picked && beyond && alike(shortened, told.force); // What is granted points the same way: one arrow.
    if (!one) name("steering", told.force);
    else if (!cut && !alike(only.contribution, told.force))
      name(beyond ? `steering: ${short(size(told.force))} N granted` : "steering", told.force, !beyond);
    for (const each of small(told.force) && own.every(({ raw }) => small(raw)) && !one ? [] : own) {
      const { raw, contribution } = each;
      if (picked && !alike(raw, contribution)) arrow(raw, 0.7);
      const whole = cut || alike(contribution, told.force);
      if (!whole) arrow(contribution, each.key === decider(told)?.key ? 1.6 : 1.3);
      const what = beyond && !cut ? ` asks for ${short(size(contribution))} N` : "";
      name(`${whole ? "steering: " : ""}${each.words}${what}`, cut ? told.force : contribution, cut || !beyond);
    }
    return [...arrows.elements(), ...words];
  }
}

/**
 * What is said of a vehicle that nothing steers now, as its behaviors ask for nothing or as what they ask for cancels out; else "".
 * @param {Explanation} told
 */
export function quietly({ tree, force, full = 0 }) {
  if (!tree || !(Math.hypot(...force) <= QUIET * full)) return "";
  const parts = doers(tree).map(({ contribution }) => Math.hypot(...contribution));
  return parts.some((each) => each > QUIET * full) ? CANCELED : CALM;
}

/** The share that a small force has of its limit, in words. @param {number[]} force @param {Explanation} told */
function shareOf(force, { full, max_force }) {
  const percent = (100 * Math.hypot(...force)) / full;
  return max_force === null ? ", small" : `, ${percent < 1 ? "under 1" : Math.round(percent)} % of limit`;
}

/**
 * Velocities from a place, all in one proportion, in which the longest one lies within bounds; without those that nobody sees.
 * @param {Element[]} elements
 * @param {number[]} place
 * @param {number[]} bounds the shortest and the longest length [m]
 * @param {number} least shorter ones are hidden by the vehicle [m]
 * @returns {Element[]}
 */
export function fitted(elements, place, [shortest, longest], least) {
  const d = place.length;
  const arrows = elements.filter(({ kind, tails, tips }) => kind === "arrows" && tails?.length && tips?.length);
  const from = arrows[0]?.tails ?? place;
  const far = (/** @type {ArrayLike<number>} */ tips) => Math.hypot(...place.map((_, c) => tips[c] - from[c]));
  const most = Math.max(...arrows.map(({ tips = [] }) => far(tips)), 1e-30);
  const part = Math.min(Math.max(most, shortest), longest) / most;
  const moved = (/** @type {Float32Array | undefined} */ places) =>
    places && Float32Array.from(places, (each, k) => place[k % d] + part * (each - from[k % d]));
  const tipOf = (/** @type {string | undefined} */ means) => arrows.find((each) => each.means === means)?.tips ?? from;
  return elements
    .filter(({ kind, means }) => kind !== "areas" && part * far(tipOf(means)) > least)
    .map((each) => ({ ...each, tails: moved(each.tails), tips: moved(each.tips), position: moved(each.position) }));
}

/**
 * A line from the tip of the velocity to that of the desired one, where these can be told apart: the steering.
 * @param {Element[]} elements
 * @param {Explanation} told
 * @param {number} pixel [m]
 * @returns {Element[]}
 */
export function difference(elements, told, pixel) {
  const [now, wish] = ["present velocity", "desired velocity"].map(
    (words) => elements.find(({ kind, means }) => kind === "arrows" && means === words)?.tips,
  );
  if (quietly(told) || !now?.length || now.length !== wish?.length) return [];
  if (Math.hypot(...Array.from(now, (each, c) => each - wish[c])) < APART * pixel) return [];
  const points = Float32Array.from([...now, ...wish]);
  const color = Float32Array.from([...tone("steering"), 0.9]);
  const line = { kind: "lines", layer: 5, points, counts: [2], color, width: Float32Array.of(1), dash: [2, 2] };
  return [{ ...line, means: "steering", force: true }];
}

/**
 * Spheres that do not go around most of the picture.
 * @param {import("./outlines.js").Spheres[]} all
 * @param {import("./camera.js").Camera} camera
 */
const visible = (all, camera) =>
  all.map(({ look, spheres }) => ({
    look,
    spheres: spheres.filter(({ middle, radius }) => 2 * radius * camera.meter(middle) < camera.height),
  }));

/** The part of a key. @param {Explanation} told @param {number | null} key */
const partOf = ({ tree }, key) => (tree && walk(tree).find((each) => each.key === key)) || null;

/** Whether two forces make one arrow. @param {number[]} one @param {number[]} other */
const alike = (one, other) =>
  Math.hypot(...one.map((each, c) => each - other[c])) <= ALIKE * Math.max(Math.hypot(...one), Math.hypot(...other));

/**
 * With which scale a force from a place ends in the picture; as far as it likes where the place itself is not seen, or
 * lies so close to the border that there would be no arrow.
 * @param {any} camera
 * @param {number[]} tail
 * @param {number[]} force
 * @param {number} [below] from the tip to the lower border [pixels of CSS]
 */
export function within(camera, tail, force, below = BORDER) {
  if (tail.length !== 2 || !camera || !("scale" in camera)) return Infinity;
  const rooms = [camera.width, camera.height].map((size, c) => {
    const off = (tail[c] - camera.middle[c]) * Math.sign(force[c] || 1);
    const border = c === 1 && force[c] < 0 ? below : BORDER;
    return ((size / 2 - border) / camera.scale - off) / Math.abs(force[c]);
  });
  const room = Math.min(...rooms);
  return room * Math.hypot(...force) * camera.scale > BORDER ? room : Infinity;
}

/** @param {WhyNode} node @returns {number[]} */
const sizes = (node) => leavesOf(node).flatMap((each) => [Math.hypot(...each.raw), Math.hypot(...each.contribution)]);
