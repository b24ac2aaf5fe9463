// Why: the explanation of a vehicle, as a tree with bars and as arrows in the picture, with their names.

import { QUIET, acting, decider, desiredOf, doers, drawn, grounded, leavesOf, walk } from "./acting.js";
import { button, folded, following, hint, html, meaning, section, short } from "./controls.js";
import { Arrows } from "./populations.js";
import { essence, fittedRings } from "./cast.js";
import { onScreen } from "./camera.js";
import { barred, calmed, faced, outlines, parted } from "./outlines.js";
import { css, cssOf, tone } from "./palette.js";
import { Reason, faceOf } from "./reason.js";
import { Shares } from "./shares.js";
import { shifted } from "./grasp.js";
import { TONES } from "./theme.js";
import { Tour, limitOf } from "./tour.js";
import { AS_DESIRED, DESIRED, STEERING, VELOCITY, briefly } from "./names.js";
import { fitted, rising, vectorsOf, within } from "./vectors.js";
import { bodyIn, isSame } from "./frames.js";
import { plus } from "./linear.js";

/** @typedef {import("./types.js").Element} Element */

const FARTHEST = 0.45; // The longest arrow of a force, as a part of the smaller side of the picture.
const PRESENT = "present velocity";
const VELOCITIES = new Set([PRESENT, DESIRED]); // Meanings of velocities.
const MARK = 9; // The least size of a mark [points].
const WIDTHS = { asked: 1, part: 1.8, decides: 2.2, steering: 2.4 }; // Of arrows of forces [points].
const ENLARGED = 1.25; // Of a steering that is drawn so many times as long as the velocities the key says so:
const NEARER = 0.1; // They are chosen anew where that changes by this part.
const EASE = 0.1; // The part of the way to another force or velocity that the arrows of a picture go.
const ON = 3; // What is so near to an edge is on it [pixels of CSS].
const STEP = 10; // So far from the vehicle directions are looked at [pixels of CSS].
const LIMITED = 1.05; // A force is limited where so many times as much is asked for;
const LACKS = 27; // what it lacks is drawn from this length on [pixels of CSS].
const ALIKE = 0.03; // Arrows that differ by less than this part are one.
const CALM = "no force is needed now"; // What is said of a vehicle on which nearly no force acts,
const CANCELED = "forces cancel out"; // and of one on which forces act that are nothing together.
const LONGER = "It is drawn longer than the velocities: so short a push would not be seen.";
const BEYOND = "wants more force than it has"; // The dashed line that leads on from it.
const RINGED = "the explained vehicle"; // In the glow that it has.
const OF_LIMIT = 0.1; // This part of its largest force is a large force for a vehicle.

/** Arrows, in plain words. @type {Record<string, string>} */
const PLAIN = {
  [VELOCITY]: "how it moves now",
  [DESIRED]: "how it wants to move",
  [STEERING]: "the push that changes how it moves",
};
const AIM = "Click a vehicle to see why it moves as it does.";

/** What to try, by what is asked of Python when it is done; the first that was not done is told. @type {[RegExp, string][]} */
const TRIES = [
  [/^put$/, "drag an obstacle, or the cross of a goal, elsewhere."],
  [/^select$/, "click another vehicle."],
  [/^move$/, "drag the vehicle itself to another place."],
  [/^tour$/, "the tour, three steps of what it sees, wants and does."],
  [/^(set|weight|switch)$/, "open Steering below, and change a number."],
  [/^$/, "press ? for all that mouse and keys do."],
];

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
 * @property {number} [served] of a behavior that chooses a motion for its parts: the key of the strongest of these
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
 * @property {string} [noun] what it is, in the singular: "guard"; none where this is not known
 * @property {WhyNode | null} tree
 * @property {number[]} force
 * @property {number | null} max_force
 * @property {number} full a large force for it [N]
 * @property {number | null} pace its speed, as a part of its top speed; null where it has none
 * @property {boolean} [on_ground] whether it moves upon a surface
 * @property {string} winner
 * @property {number} leaf the number of the behavior that decides, among those without parts; -1 for none
 * @property {number[]} velocity [m/s]
 * @property {number[] | null} desired the velocity that its law desires, where that is not said by what the tree asks for [m/s]
 * @property {number} response the change of velocity that a newton makes within the response time [m/s]
 * @property {number} fastest its top speed [m/s]
 * @property {import("./types.js").Element[]} near how far it looks
 * @property {import("./types.js").Element[]} elements what else it looks at
 * @property {[string, string][]} legend colors of that, and what they mean
 * @property {number} [time] of its instant [s]
 * @property {number} [steps] the number of steps then
 * @property {number} [gone] since when the vehicle is gone [s]
 * @property {number[]} [at] where it was then, where that is told [m]
 * @property {Explanation} [of] what it was made of, for another place
 */

export class Why {
  /**
   * @param {import("./stage.js").Stage} stage
   * @param {(vehicle: import("./stage.js").VehicleKey | null) => void} choose called with another vehicle to explain, or none
   */
  constructor(stage, choose) {
    this.stage = stage;
    this.inside = section("Why", true);
    /** @type {Explanation | null} */
    this.told = null;
    this.follow = html("input", {
      type: "checkbox",
      title: "Keep it in the middle of the picture (f)",
    });
    this.follow.addEventListener("change", () => {
      stage.following = this.follow.checked;
      if (stage.following) stage.framing.begin();
    });
    this.reason = new Reason();
    this.tour = new Tour(stage, () => this.draw());
    const title = "What the behavior that decides sees, wants and does, in three steps; then the others (g)";
    this.ways = button("Tour", title, () => {
      this.tour.next();
      this.tried("tour");
    });
    const away = button("Close", "Explain nobody (escape)", () => choose(null));
    this.head = html("div", { className: "buttons" }, this.ways, html("label", {}, this.follow, " Follow"), away);
    this.onward = button("Next vehicle", "Explain the next vehicle (n)", () => choose(following(stage, 1)));
    this.sentence = html("p", { className: "sentence" });
    this.reason.boxes.push(this.sentence);
    this.name = hint();
    this.title = hint();
    this.shares = new Shares((key) => this.pick(key));
    this.meanings = html("div", { className: "meanings" });
    this.next = html("p", { className: "next" });
    /** What of TRIES was done. @type {Set<RegExp>} */
    this.done = new Set();
    /** Whether something besides vehicles can be dragged. */
    this.things = false;
    this.forces = folded("Forces", false, this.title, this.shares.inside);
    this.rest = html("div", {}, this.name, this.sentence, this.meanings, this.next);
    /** The key of the part whose whole construction is drawn; null where that is what acts. @type {number | null} */
    this.picked = null;
    /** How arrows were drawn last. @type {import("./vectors.js").Vectors | null} */
    this.vectors = null;
    /** The size of a pixel of CSS at the vehicle when marks were chosen [m]. */
    this.pixel = 0;
    /** Its force, velocity and what is asked for, as they were drawn last. @type {number[][] | null} */
    this.last = null;
    /** Whether the steering is drawn longer than the velocities. */
    this.longer = false;
    /** Whether it is drawn that the vehicle wants more force than it has. */
    this.cut = false;
    /** Names in the picture, with their colors. @type {[string, string][]} */
    this.roles = [];
    this.show(null);
  }

  /** Something was done that was to be tried. @param {string} what */
  tried(what) {
    for (const [deed] of TRIES) if (deed.test(what)) this.done.add(deed);
    this.suggest();
  }

  /** Tell what to try next. */
  suggest() {
    const { done, things } = this;
    const left = TRIES.find(([deed], k) => !done.has(deed) && (things || k > 0));
    this.next.replaceChildren(html("b", {}, "Try: "), left?.[1] ?? "");
  }

  /**
   * Show what was told of a vehicle, at the place where it is by now.
   * @param {Explanation} explanation with the place of its instant
   */
  recall(explanation) {
    const place = this.stage.placeOf(explanation);
    if (!place || !explanation.at) return this.show(null);
    const way = this.stage.way(explanation.at, place);
    const moved = (/** @type {Element[]} */ all = []) => all.map((each) => shifted(each, way, way.length));
    const legend = explanation.legend ?? []; // A recording says what is not empty.
    const now = {
      ...explanation,
      legend,
      near: moved(explanation.near),
      elements: moved(explanation.elements),
      of: explanation,
    };
    if (this.told?.of !== explanation) return this.show(now);
    this.told = now;
    return this.draw();
  }

  /**
   * @param {Explanation | null} explanation
   * @param {string} [instead] what is said where nothing is told
   */
  show(explanation, instead = AIM) {
    const { told: before } = this;
    if (!isSame(before, explanation)) this.picked = this.vectors = this.last = null;
    this.told = explanation;
    this.tour.show(explanation);
    if (!explanation || explanation.gone !== undefined) {
      const gone = [this.sentence, html("div", { className: "buttons" }, this.onward)];
      this.inside.replaceChildren(...(explanation ? gone : [hint(instead)]));
      this.draw();
      return;
    }
    this.ways.hidden = !explanation.tree || !this.tour.abouts.size;
    const greatest = Math.max(0, ...(explanation.tree ? sizes(explanation.tree) : []));
    const beside = explanation.max_force === null ? greatest : OF_LIMIT * explanation.full;
    const size = short(Math.hypot(...(explanation.force ?? [])), beside);
    const quiet = quietly(explanation);
    const state = explanation.tree ? quiet || `${size} N${limitOf(explanation)}` : "";
    this.name.textContent = `${explanation.population}, vehicle ${explanation.id}`;
    this.title.textContent = state;
    const least = QUIET * (explanation.full ?? 0);
    const full = Math.max(explanation.full ?? 0, greatest) || 1;
    this.shares.show(explanation, { full, beside, quiet: least, picked: this.picked });
    this.key(this.felt(explanation));
    // The buttons stay as they are: one that is made anew between press and release hears of no click.
    if (this.head.parentElement !== this.inside) this.inside.replaceChildren(this.rest, this.head, this.forces);
    this.suggest();
    this.draw();
  }

  /** The key to the colors of what is drawn. @param {Explanation} explanation */
  key(explanation) {
    const { near, sketch, why } = this.stage.layers;
    const quiet = quietly(explanation);
    const { velocity, desired } = this.vectors ?? {};
    const visible = this.elements(explanation).filter(
      ({ means, says }) => says && !(means === PRESENT && !velocity) && !(means === DESIRED && !desired),
    );
    const brief = briefly(visible.flatMap(({ says }) => says ?? []));
    /** @type {[string, string][]} */
    const roles = [];
    const meant = (near || sketch ? (explanation.legend ?? []) : []).map(([shade, words]) => {
      const alike = visible.filter(({ means }) => means === words);
      const names = new Set(alike.flatMap(({ says }) => says ?? []));
      for (const { kind, says = "" } of alike)
        if (kind === "texts" && shade !== TONES.construction[0]) roles.push([says, cssOf(shade)]);
      const shown = [...names].map((name) => meaning(cssOf(shade), words, brief(name), PLAIN[name]));
      return { shown, first: VELOCITIES.has(words) };
    });
    const some = (/** @type {boolean} */ which) => meant.flatMap(({ first, shown }) => (first === which ? shown : []));
    const meanings = [...some(true), ...some(false)];
    const red = cssOf(TONES.steering[0]);
    const steering = meaning(red, STEERING, STEERING, PLAIN[STEERING]);
    if (this.longer) steering.title = LONGER;
    const cut = meaning(red, "construction", BEYOND);
    cut.title = `It is cut to max_force, ${short(explanation.max_force ?? 0)} N.`;
    const arrows = [...(quiet !== CALM ? [steering] : []), ...(desired && this.cut ? [cut] : [])];
    if (explanation.tree && why) meanings.splice(some(true).length, 0, ...arrows);
    this.roles = [...roles, ["force", red]];
    if (explanation.tree && why) meanings.unshift(meaning("var(--faint)", "how far it looks", RINGED));
    this.meanings.hidden = !meanings.length;
    this.meanings.replaceChildren(...meanings);
  }

  /** Show the whole construction of a part, or no more of it. @param {number} key */
  pick(key) {
    this.picked = this.picked === key ? null : key;
    if (this.told) this.show(this.told);
  }

  /**
   * What is drawn of the construction: of the part that the sentence names, and what the vehicle faces, or of one that was picked.
   * @param {Explanation} explanation
   */
  elements(explanation) {
    const { near, sketch } = this.stage.layers;
    const [keys, body] = [this.keysOf(explanation), this.bodyOf(explanation)];
    const all = [...(near ? (explanation.near ?? []) : []), ...(sketch ? (explanation.elements ?? []) : [])];
    const some = all.filter((each) => this.stage.wants(each) && (each.of === undefined || keys.has(each.of)));
    const place = body?.position; // Where the last frame has it, to which the construction belongs.
    const around = place && this.around(explanation, place);
    if (!around || this.picked !== null) return some;
    const { velocity, desired, speed } = vectorsOf(explanation, place, around, this.before);
    const [tip, wish] = [velocity, desired].map((each) => each && plus(place, each, speed));
    return essence(some, place, tip ?? place, around.rim * around.pixel, wish);
  }

  /** The parts whose construction is drawn. @param {Explanation} explanation */
  keysOf(explanation) {
    const [named, body] = [decider(explanation), this.bodyOf(explanation)];
    const shown = [named, body && faceOf(explanation, body.forward)].flatMap((each) => each ?? []);
    return drawn(explanation, shown, partOf(explanation, this.picked));
  }

  /**
   * The picture around a vehicle; null where there is none.
   * @param {Explanation} told
   * @param {number[]} place
   * @returns {import("./vectors.js").Around | null}
   */
  around(told, place) {
    const { camera } = this.stage;
    return camera && { camera, pixel: 1 / camera.meter(place), rim: this.stage.rim(told), keys: this.keysOf(told) };
  }

  /**
   * Where the explained vehicle is, and its axes; null of one that is not there.
   * @param {Explanation} explanation
   */
  bodyOf(explanation) {
    return bodyIn(this.stage.after, explanation);
  }

  /** An explanation with the forces that move its vehicle, as they are drawn and told. @param {Explanation} explanation */
  felt(explanation) {
    return grounded(explanation, this.bodyOf(explanation)?.up);
  }

  /** The reason as a sentence, where no tour tells more. */
  tell() {
    const { told: explanation, stage, tour } = this;
    if (explanation?.gone !== undefined) return this.reason.show(explanation);
    const body = explanation && !tour.on && stage.layers.why ? this.bodyOf(explanation) : null;
    if (!body) return this.reason.show(null);
    const noted = (stage.extra.get("notes")?.words ?? []).map(({ says = "", color = [] }) => [says, css(color)]);
    const named = noted.filter(([says, color]) => says && color !== cssOf(TONES.construction[0]));
    const roles = [...this.roles, .../** @type {[string, string][]} */ (named)];
    return this.reason.show(explanation, body.forward, body.up, this.projection(body.position), roles);
  }

  /**
   * How vectors at a place lie in the picture of a camera that goes around; undefined for a plane from above.
   * @param {number[]} place
   * @returns {import("./reason.js").Seen}
   */
  projection(place) {
    const { camera } = this.stage;
    const here = camera && place.length === 3 ? onScreen(camera, place) : null;
    if (!camera || !here) return undefined;
    return (vector) => {
      const [x, y] = onScreen(camera, plus(place, vector, STEP / camera.meter(place))) ?? here;
      return [(x - here[0]) / STEP, (here[1] - y) / STEP];
    };
  }

  /** What it looks at, and the arrows, which follow it. */
  draw() {
    const { stage } = this;
    this.tell();
    if (!this.told?.tree) return stage.decorate("why");
    const explanation = this.felt(this.told);
    const place = stage.placeOf(explanation);
    this.pixel = (place && this.around(explanation, place)?.pixel) || 0;
    const { sketch, why } = stage.layers;
    const d = stage.scene?.dimensions ?? 2;
    const shown = this.tour.on ? this.tour.elements(explanation) : this.elements(explanation);
    stage.telling = shown.flatMap((each) => fittedRings(stage, each, explanation.time));
    const all = stage.telling.map((each) => large(calmed(each, d)));
    // What is across a seam is drawn, and no camera comes near to it.
    const across = d === 3 ? [] : all.filter((each) => each.across);
    const { rest, spheres } = d === 3 ? parted(all) : { rest: all.filter((each) => !each.across), spheres: [] };
    const own = d === 2 && place;
    const elements = rest
      .filter((each) => !isVelocity(each))
      .flatMap((each) => (own ? barred(each, own, stage.edges[0]) : [each]));
    if (own) elements.unshift(...faced(elements, stage.edges[1], ON * this.pixel));
    const velocities = sketch
      ? (explanation.elements ?? []).filter((each) => isVelocity(each) && this.tour.shows(each))
      : [];
    return stage.decorate("why", elements, () => [
      ...across,
      ...(stage.camera && "eye" in stage.camera ? outlines(visible(spheres, stage.camera), stage.camera.eye) : []),
      ...this.arrows(explanation, velocities, why),
    ]);
  }

  /** How arrows were drawn last, as long as the world moves: else they do not depend on it. */
  get before() {
    return this.stage.still ? null : this.vectors;
  }

  /**
   * An explanation whose arrows go calmly to where they are, as long as the world moves: else no eye, and no word, could follow.
   * @param {Explanation} explanation
   */
  eased(explanation) {
    if (!explanation.tree) return explanation;
    const now = [explanation.force, explanation.velocity ?? [], desiredOf(explanation)];
    const { last } = this;
    this.last = last && !this.stage.still ? last.map((each, k) => plus(each, plus(now[k], each, -1), EASE)) : now;
    const [force, velocity, desired] = this.last;
    return { ...explanation, force, velocity, desired };
  }

  /**
   * The velocities, and the force that steers, from the tip of the velocity toward that of the desired one; of a part that was
   * picked what it asks for, thin, and what is kept of that, in the same proportion.
   * @param {Explanation} explained
   * @param {Element[]} [velocities] that are drawn
   * @param {boolean} [forces] whether these are
   * @returns {Element[]}
   */
  arrows(explained, velocities = [], forces = true) {
    const explanation = this.eased(explained);
    const { stage, tour } = this;
    const { camera } = stage;
    const vehicle = { population: explanation.population, id: explanation.id };
    const place = stage.placeOf(vehicle);
    if (!place || !explanation.tree || !camera) return [];
    const around = /** @type {import("./vectors.js").Around} */ (this.around(explained, place));
    const { pixel } = around;
    if (stage.stretch === 1 && Math.abs(Math.log(pixel / this.pixel)) > NEARER) setTimeout(() => this.draw());
    const { vectors: before } = this;
    const vectors = (this.vectors = vectorsOf(explanation, place, around, this.before, velocities.length > 0));
    const longer = vectors.least(explanation.force) > ENLARGED * vectors.newton * Math.hypot(...explanation.force);
    const other = this.longer !== longer || !before?.velocity !== !vectors.velocity;
    this.longer = longer;
    if (other || !before?.desired !== !vectors.desired) this.key(explanation);
    const quiet = quietly(explanation);
    const flies = explanation.on_ground ? [] : rising(place, vectors);
    const made = [...flies, ...fitted(velocities, place, vectors, quiet ? AS_DESIRED : VELOCITY)];
    if (!forces) return made;
    const arrows = new Arrows(place.length, true);
    const color = tone("steering"); // Behaviors are told apart by the words beside their arrows.
    const picked = partOf(explanation, this.picked);
    const toured = leavesOf(explanation.tree)[tour.leaf] ?? explanation.tree;
    const there = quiet === CANCELED ? acting(explanation, QUIET * explanation.full) : [];
    const own = picked ? leavesOf(picked) : tour.on ? [toured] : there;
    const wants = tour.on && tour.step === 1 ? [toured.raw] : [];
    const size = (/** @type {number[]} */ force) => Math.hypot(...force);
    const sizes = [
      explanation.force,
      ...wants,
      ...own.flatMap(({ raw, contribution }) => (picked ? [raw, contribution] : [contribution])),
    ].map(size);
    const longest = FARTHEST * Math.min(camera.width, camera.height) * pixel;
    const scale = Math.min(vectors.newton, longest / (Math.max(...sizes) || 1)); // One for all: their lengths compare.
    /** @type {Element[]} */
    const words = [];
    const arrow = (/** @type {string} */ word, /** @type {number[]} */ force, /** @type {number} */ wide) => {
      if (!(size(force) > QUIET * explanation.full)) return null;
      const tail = vectors.tail(force);
      const least = vectors.least(force) / size(force);
      const long = Math.max(Math.min(scale, within(camera, tail, force)), least);
      const end = picked || tour.on ? long : vectors.short(tail, force, long); // Arrows that are compared stay as they are.
      arrows.add(tail, 0, force, 0, end, 0, [...color, 1], wide);
      const position = Float32Array.from(plus(tail, force, end));
      if (word)
        words.push({
          kind: "texts",
          layer: 9,
          force: true,
          position,
          tails: Float32Array.from(tail),
          words: [word],
          color: Float32Array.from(color),
        });
      return plus(tail, force, end);
    };
    /** @type {Element[]} */
    let rest = [];
    if (tour.on && tour.step === 1) arrow(toured.words, toured.raw, WIDTHS.part);
    else if (!tour.on || tour.step === 2) {
      for (const { key, words: named, raw, contribution } of own) {
        const whole = alike(contribution, explanation.force);
        if (picked && !alike(raw, contribution)) arrow(`${named} asks for ${short(size(raw))} N`, raw, WIDTHS.asked);
        if (!whole) arrow(named, contribution, key === decider(explanation)?.key ? WIDTHS.decides : WIDTHS.part);
      }
      const tip = quiet ? null : arrow(STEERING, explanation.force, WIDTHS.steering);
      rest = tip ? missing(explanation, tip, place, vectors, pixel) : [];
    }
    if (this.cut !== Boolean(rest.length)) {
      this.cut = Boolean(rest.length);
      this.key(explanation);
    }
    return [...made, ...rest, ...arrows.elements(), ...words];
  }
}

/**
 * What is said of a vehicle that nothing steers now, as its behaviors ask for nothing or as what they ask for cancels out; else "".
 * @param {Explanation} explanation
 */
export function quietly({ tree, force, full = 0 }) {
  if (!tree || !(Math.hypot(...force) <= QUIET * full)) return "";
  const parts = doers(tree).map(({ contribution }) => Math.hypot(...contribution));
  return parts.some((each) => each > QUIET * full) ? CANCELED : CALM;
}

/** Whether a vehicle would need more than its limit to reach the desired velocity within its response time. @param {Explanation} explanation */
const isLimited = (explanation) =>
  Math.hypot(...plus(desiredOf(explanation), explanation.velocity, -1)) >
  LIMITED * explanation.response * Math.hypot(...explanation.force);

/**
 * What a steering that is limited lacks to the desired velocity, as a dashed line; nothing of another one. The key tells what it is.
 * @param {Explanation} explanation
 * @param {number[]} tip of the steering
 * @param {number[]} place of the vehicle
 * @param {import("./vectors.js").Vectors} vectors
 * @param {number} pixel the size of a pixel of CSS there [m]
 * @returns {Element[]}
 */
export function missing(explanation, tip, place, { desired, speed }, pixel) {
  if (!desired || !isLimited(explanation)) return [];
  const end = plus(place, desired, speed);
  if (!(Math.hypot(...plus(end, tip, -1)) > LACKS * pixel)) return [];
  const color = tone("steering");
  const points = Float32Array.from([...tip, ...end]);
  const line = { color: Float32Array.from([...color, 1]), width: Float32Array.of(1.2), dash: [3, 2.5] };
  return [{ kind: "lines", layer: 8, points, counts: [2], ...line }];
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

/** Marks that are large enough to be seen. @param {Element} element @returns {Element} */
const large = (element) =>
  element.kind === "marks"
    ? { ...element, size: (element.size ?? Float32Array.of(0)).map((it) => Math.max(it, MARK)) }
    : element;

/** Whether an element is a velocity. @param {Element} element */
const isVelocity = ({ means = "" }) => VELOCITIES.has(means);

/** The part of a key. @param {Explanation} explanation @param {number | null} key */
const partOf = ({ tree }, key) => (tree && walk(tree).find((each) => each.key === key)) || null;

/** Whether two forces make one arrow. @param {number[]} one @param {number[]} other */
const alike = (one, other) =>
  Math.hypot(...one.map((each, c) => each - other[c])) <= ALIKE * Math.max(Math.hypot(...one), Math.hypot(...other));

/** @param {WhyNode} node @returns {number[]} */
const sizes = (node) => leavesOf(node).flatMap((each) => [Math.hypot(...each.raw), Math.hypot(...each.contribution)]);
