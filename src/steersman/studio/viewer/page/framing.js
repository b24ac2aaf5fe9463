// Framing: the camera goes along with the explained vehicle, so near that the vehicle and what it steers by fill the picture.

import { ringsOf } from "./cast.js";
import { clamp, dot, plus } from "./linear.js";
import { CHOSEN, GUIDE, RANGE, ROUND } from "./outlines.js";

/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./linear.js").Vector} Vector */
/** Places that something is at, rings, ranges around the vehicle, rings of notes, and helper lines [m]. @typedef {Record<"near" | "wide" | "around" | "noted" | "helping", number[][]>} Places */
/** @typedef {{low: number[], high: number[]}} Bounds of the plane of the picture [m] */
/**
 * What is to be seen, in the plane of the picture: to the right and up.
 * @typedef {object} Subject
 * @property {number[]} own the explained vehicle [m]
 * @property {number} long its length [m]
 * @property {Bounds} near places that it steers by, and itself
 * @property {number[] | null} far the nearest place that is too far away to be seen with it; null for none
 * @property {Bounds} wide these, and the rings and areas around them
 */
/** @typedef {{width: number, height: number, whole: number, solid: boolean, many: number, world: Bounds | null}} Picture whole: the pixels of CSS a meter where everything is seen; many: how many vehicles there are; world: null without borders */

const LONGEST = [72, 66]; // The explained vehicle is drawn no longer in the plane, and in space, where it is alone [pixels of CSS],
const CROWDED = 11; // and by so much shorter where there are ten times as many: the crowd is to be seen, too;
const RINGED = 30; // rings are seen whole where it is so long then,
const RANGED = 54; // ranges around it where it is so long,
const COSTS = 0.8; // or so long as this part of what it is without them,
const UNRINGED = 58; // and it is no longer than this where they are not;
const SHORTEST = 18.5; // and places that are farther away are left out where it would be shorter.
const LEAST = 32; // Where a scene says how much is seen, it is no shorter than this.
const ROUND_ONE = 5; // Rings of notes are seen with it that are smaller than so many of its lengths.
const MANY = 4; // So many places of one kind count, the nearest ones.
const BORDERS = [70, 70, 48, 48]; // Left, right, below and above what is seen, for words [pixels of CSS];
const ROOM = 96; // so much more around the vehicle, for the arrows of forces;
const USUAL = [900, 520]; // and less in smaller pictures.
const LEAN = 0.17; // By so much of the picture a vehicle stands back from a place that is left out, at most.
const CROWD = 8; // Where a scene says how much is seen, and more are near, it stands back from them instead;
const LOOKED = 500; // of a larger population, so many are looked at.
const SLACK = 0.06; // What is to be seen is off the middle by no more than this part of the picture.
const LOOSE = 1.3; // The picture is at most so many times as wide as it needs to be.
const CLOSE = 0.3; // In space nothing is nearer to the camera than this part of the distance of the vehicle,
const TURNS = 4; // and the distance is found by so many turns.
const TIMES = { wide: 0.35, near: 1.6, aside: 0.8 }; // In which it goes two thirds of its way to wider, to nearer, or aside [s].
const EVEN = 1.05; // A ring of which no place is so many times as far away as another one is around a vehicle.
const STILL = 1e-3; // Smaller changes are not seen.
const SLOWEST = 0.02; // Part of its size by which the picture changes in a second, until it is there: half a pixel in three pictures.
const PAUSE = 0.1; // Two pictures are no farther apart [s].

/**
 * The bounds of places.
 * @param {number[][]} places
 * @returns {Bounds}
 */
const boundsOf = (places) => ({
  low: [0, 1].map((c) => Math.min(...places.map((each) => each[c]))),
  high: [0, 1].map((c) => Math.max(...places.map((each) => each[c]))),
});

/**
 * The borders of a picture of a size: at the low and the high end of an axis.
 * @param {Picture} picture
 * @param {number} axis
 */
function bordersOf(picture, axis) {
  const size = axis ? picture.height : picture.width;
  const part = Math.min(1, size / USUAL[axis]);
  return {
    size,
    ends: [0, 1].map((k) => part * BORDERS[2 * axis + k]),
    room: part * ROOM,
  };
}

/**
 * The largest scale at which places, and the vehicle with room around it, are in a picture.
 * @param {number[]} own
 * @param {Bounds} bounds
 * @param {Picture} picture
 */
function largest(own, { low, high }, picture) {
  return Math.min(
    ...[0, 1].flatMap((c) => {
      const { size, ends, room } = bordersOf(picture, c);
      const inner = size - ends[0] - ends[1];
      return [inner / (high[c] - low[c]), (inner - room) / (high[c] - own[c]), (inner - room) / (own[c] - low[c])];
    }),
  );
}

/**
 * How many pixels of CSS a meter is to have.
 * @param {Subject} subject
 * @param {Picture} picture
 */
export function scaleOf({ own, long, near, wide }, picture) {
  const most = (LONGEST[picture.solid ? 1 : 0] - CROWDED * Math.log10(picture.many)) / long;
  const ringed = largest(own, wide, picture);
  const scale = ringed * long >= RINGED ? ringed : Math.min(largest(own, near, picture), UNRINGED / long);
  return Math.max(Math.min(scale, most), Math.min(SHORTEST / long, most), picture.whole);
}

/**
 * Which places are seen together with a vehicle: the nearest ones, as long as it is not too short then.
 * @param {number[]} own
 * @param {number} long
 * @param {number[][]} places
 * @param {number[][]} rings
 * @param {number[][][]} besides other rings, which are seen where there is room for all of them
 * @param {Picture} picture
 * @param {number} closeUp the scale, if that is given; else 0
 */
function together(own, long, places, rings, besides, picture, closeUp) {
  const away = (/** @type {number[]} */ at) => Math.hypot(at[0] - own[0], at[1] - own[1]);
  const all = [...places].sort((one, other) => away(one) - away(other));
  const fits = (/** @type {number} */ k) =>
    largest(own, boundsOf([own, ...all.slice(0, k)]), picture) >= (closeUp || SHORTEST / long);
  let count = all.length;
  while (count && !fits(count)) count -= 1;
  const near = [own, ...all.slice(0, count)];
  const wide = closeUp ? [...near] : [...near, ...rings];
  for (const each of closeUp ? [rings, ...besides] : besides) {
    const least = clamp(COSTS * largest(own, boundsOf(wide), picture) * long, RINGED, RANGED);
    if (largest(own, boundsOf([...wide, ...each]), picture) >= (closeUp || least / long)) wide.push(...each);
  }
  return { near: boundsOf(near), far: all[count] ?? null, wide: boundsOf(wide) };
}

/**
 * Where the middle of the picture may be at a scale, in one axis: so that no border of the world is seen without need, but
 * first that the places are in the picture, and above all the vehicle.
 * @param {number} middle where it would be
 * @param {number} scale
 * @param {Subject} subject
 * @param {Picture} picture
 * @param {number} c the axis
 */
export function middleOf(middle, scale, { own, long, near, wide }, picture, c) {
  const { size, ends, room } = bordersOf(picture, c);
  const limits = (/** @type {number} */ low, /** @type {number} */ high, /** @type {number[]} */ [first, last]) => {
    const [from, to] = [high - (size / 2 - last) / scale, low + (size / 2 - first) / scale];
    return from <= to ? [from, to] : null;
  };
  const within = (/** @type {number} */ it, /** @type {number[] | null} */ bounds) =>
    bounds ? clamp(it, bounds[0], bounds[1]) : it;
  const { world } = picture;
  let it = middle;
  if (world) {
    const [from, to] = [world.low[c] + size / 2 / scale, world.high[c] - size / 2 / scale];
    it = from <= to ? clamp(it, from, to) : (from + to) / 2;
  }
  const whole = long * scale >= RINGED - STILL && limits(wide.low[c], wide.high[c], ends);
  const all = whole || limits(near.low[c], near.high[c], ends);
  it = all ? within(it, all) : (near.low[c] + near.high[c]) / 2;
  return within(it, limits(own[c], own[c], [ends[0] + room, ends[1] + room]));
}

/** The camera of a stage that goes along with the explained vehicle. */
export class Framing {
  /** @param {import("./stage.js").Stage} stage */
  constructor(stage) {
    this.stage = stage;
    /** Whether the camera chooses what is seen; otherwise the vehicle stays where it is in the picture. */
    this.auto = true;
    /** From the vehicle to the middle of the picture [m]. @type {number[]} */
    this.offset = [0, 0, 0];
    this.vehicle = "";
    this.then = 0;
    /** The construction as it was looked at last, and its places. @type {Element[] | null} */
    this.looked = null;
    /** @type {Places} */
    this.places = { near: [], wide: [], around: [], noted: [], helping: [] };
  }

  /** Frame from now on, and follow. */
  begin() {
    this.auto = this.stage.following = this.stage.dirty = true;
  }

  /** The user has moved the camera: from now on the vehicle stays where it is in the picture. */
  release() {
    const { camera, selected } = this.stage;
    const place = selected && this.stage.placeOf(selected);
    this.auto = false;
    if (camera && place) this.offset = place.map((each, c) => camera.middle[c] - each);
  }

  /** Keep the vehicle in the middle. */
  center() {
    [this.auto, this.offset] = [false, [0, 0, 0]];
  }

  /** Be there at once. @param {number[]} place of the explained vehicle */
  open(place) {
    for (let k = 0; k < TURNS; k++) this.follow(place, true);
    this.stage.dirty = false;
  }

  /**
   * Go along with the explained vehicle.
   * @param {number[]} place of it
   * @param {boolean} [at_once] whether the camera is there at once, and not calmly
   */
  follow(place, at_once = false) {
    const { stage } = this;
    const camera = /** @type {import("./camera.js").Camera} */ (stage.camera);
    const { selected, scene } = stage;
    const now = performance.now();
    const passed = Math.min((now - this.then) / 1000, PAUSE);
    this.then = now;
    const vehicle = `${scene?.name} ${selected?.population} ${selected?.id}`;
    if (vehicle !== this.vehicle) this.offset = place.map((each, c) => camera.middle[c] - each); // It goes there calmly.
    this.vehicle = vehicle;
    const closeUp = scene?.close_up ? Math.min(camera.width, camera.height) / scene.close_up : 0;
    const subject = this.auto ? this.subject(place, closeUp) : null;
    if (!subject || !scene) return camera.follow(place.map((each, c) => each + (this.offset[c] ?? 0)));
    const { axes } = camera;
    const picture = this.picture();
    const scale = camera.meter(camera.middle);
    const wanted = closeUp ? Math.max(closeUp, LEAST / subject.long) : scaleOf(subject, picture);
    const goal = at_once ? wanted : clamp(scale, wanted / LOOSE, wanted);
    const part = (/** @type {number} */ time) => (at_once ? 1 : 1 - Math.exp(-passed / time));
    const far = Math.log(goal / scale);
    const there = Math.abs(far) < STILL;
    const pace = Math.abs(far) * part(far < 0 ? TIMES.wide : TIMES.near);
    const step = Math.min(Math.max(pace, SLOWEST * passed), Math.abs(far));
    const next = there ? goal : scale * Math.exp(Math.sign(far) * step);
    if (next <= picture.whole * (1 + STILL) && at_once) return camera.fit();
    const ways = [0, 1].map((c) => {
      const { low, high } = next * subject.long >= RINGED - STILL ? subject.wide : subject.near;
      const lean = (LEAN * (c ? picture.height : picture.width)) / next;
      const start = subject.far
        ? subject.own[c] + clamp(subject.far[c] - subject.own[c], -lean, lean)
        : (low[c] + high[c]) / 2;
      const before = dot(this.offset, axes[c]);
      const slack = (SLACK * (c ? picture.height : picture.width)) / next;
      const own = subject.own[c];
      const allowed = (/** @type {number} */ middle) => middleOf(middle, next, subject, picture, c) - own;
      if (at_once) return allowed(start);
      const calmly = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ time) =>
        Math.abs(to - from) * next < 0.5 ? from : from + part(time) * (to - from);
      const must = allowed(own + before);
      const held = Math.abs(must - before) * next < 0.5 ? must : calmly(before, must, TIMES.wide);
      return calmly(held, allowed(clamp(own + held, start - slack, start + slack)), TIMES.aside);
    });
    const moved = ways.some((each, c) => Math.abs(each - dot(this.offset, axes[c])) * next > STILL);
    this.offset = plus(plus([0, 0, 0], axes[0], ways[0]), axes[1], ways[1]);
    camera.see(
      next,
      place.map((each, c) => each + this.offset[c]),
    );
    if (!there || moved) stage.dirty = true;
  }

  /** What is to be seen; null before the vehicle is explained. @param {number[]} place @param {number} closeUp a scale, or 0 @returns {Subject | null} */
  subject(place, closeUp) {
    const { stage } = this;
    const { camera, selected } = stage;
    const why = stage.extra.get("why");
    const now = selected && stage.after?.populations[selected.population];
    if (!why?.make || !camera || !now) return null;
    const row = now.id.indexOf(selected.id);
    const long = Math.max(stage.sizes(now)[row], now.width?.[row] ?? 0);
    if (!(long > 0)) return null;
    if (this.looked !== why.elements) {
      this.looked = why.elements;
      this.places = placesOf(why.elements, place);
      const rings = ringsOf(stage.noted);
      this.places.noted = rings.flatMap((each) => {
        const { wide } = placesOf([each], place);
        return Math.hypot(...plus(wide[0], wide[Math.floor(wide.length / 2)], -1)) < ROUND_ONE * long ? wide : [];
      });
    }
    const { axes, distance } = camera;
    const own = [dot(place, axes[0]), dot(place, axes[1])];
    const flat = (/** @type {number[]} */ at) => {
      const way = place.map((each, c) => at[c] - each);
      const nearer = Math.max(1 - dot(way, axes[2]) / distance, CLOSE);
      return own.map((each, c) => each + dot(way, axes[c]) / nearer);
    };
    const { near, wide, around, noted, helping } = this.places;
    const [lines, places, rings, ...besides] = [helping, near, wide, around, noted].map((each) => each.map(flat));
    const bounds = together(
      own,
      long,
      places,
      rings,
      besides,
      this.picture(),
      closeUp && Math.max(closeUp, LEAST / long),
    );
    const [low, high] = lines.length ? Object.values(boundsOf(lines)) : [];
    const far = bounds.far ?? (low && low.map((each, c) => (each + high[c]) / 2)) ?? null;
    return { own, long, ...bounds, far: closeUp && this.crowd(place, closeUp, flat) || far }; // prettier-ignore
  }

  /**
   * The middle of the crowd around the explained vehicle, at a scale; null where there is none.
   * @param {number[]} place of the vehicle
   * @param {number} scale
   * @param {(at: number[]) => number[]} flat
   */
  crowd(place, scale, flat) {
    const reach = Math.min(this.stage.camera?.width ?? 1, this.stage.camera?.height ?? 1) / scale / 2;
    const d = place.length;
    let [count, x, y] = [0, 0, 0];
    for (const { n, position } of Object.values(this.stage.after?.populations ?? {}))
      for (let k = 0, step = Math.ceil(n / LOOKED); k < n; k += step) {
        const at = place.map((_, c) => position[d * k + c]);
        if (at.some((each, c) => !(Math.abs(each - place[c]) < reach))) continue;
        const [right, up] = flat(at);
        [count, x, y] = [count + 1, x + right, y + up];
      }
    return count > CROWD ? [x / count, y / count] : null;
  }

  /** @returns {Picture} */
  picture() {
    const { width, height, whole } = /** @type {import("./camera.js").Camera} */ (this.stage.camera);
    const { dimensions, limited, close_up, low, high } = /** @type {import("./types.js").Scene} */ (this.stage.scene);
    const solid = dimensions === 3;
    return {
      width,
      height,
      whole,
      solid,
      many: this.stage.count,
      world: (limited || close_up) && !solid ? { low, high } : null,
    };
  }
}

/** Whether a ring has a place in its middle. @param {number[][]} ring @param {number[]} own */
const isAround = (ring, own) => {
  const aways = ring.map((at) => Math.hypot(...at.map((each, c) => each - own[c])));
  return Math.max(...aways) < EVEN * Math.min(...aways);
};

/**
 * The places of a construction: those that something is at, of each kind the nearest ones, and those of rings and areas.
 * @param {Element[]} elements
 * @param {number[]} own
 */
function placesOf(elements, own) {
  const d = own.length;
  const split = (/** @type {ArrayLike<number>} */ of, first = 0, last = of.length / d) =>
    Array.from({ length: last - first }, (_, k) =>
      Array.prototype.slice.call(of, d * (first + k), d * (first + k + 1)),
    );
  const away = (/** @type {number[]} */ at) => Math.hypot(...at.map((each, c) => each - own[c]));
  const nearest = (/** @type {number[][]} */ all, /** @type {number} */ many) =>
    all.sort((one, other) => away(one) - away(other)).slice(0, many);
  /** @type {Places} */
  const places = { near: [], wide: [], around: [], noted: [], helping: [] };
  for (const { kind, means, points = [], counts = [], position = [], tails = [], tips = [] } of elements) {
    if (kind === "texts") continue;
    const [marks, ends] = [split(position), [...split(tails), ...split(tips)]];
    let first = 0;
    for (const count of counts) {
      const all = split(points, first, first + count);
      const ring = kind !== "lines" || count > ROUND;
      if (!ring) (means === GUIDE ? places.helping : ends).push(...(means === RANGE ? [] : all));
      else places[means === RANGE && isAround(all, own) ? "around" : "wide"].push(...all);
      if (ring && means === CHOSEN) ends.push(own.map((_, c) => all.reduce((sum, at) => sum + at[c] / count, 0)));
      first += count;
    }
    places.near.push(...nearest(marks, MANY), ...nearest(ends, 2 * MANY));
  }
  return places;
}
