// Grasp: what can be taken in the picture besides vehicles, and put elsewhere: obstacles, paths, regions, points to head for.

import { screen } from "./camera.js";
import { tone } from "./palette.js";

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./types.js").Element} Element */

/**
 * @typedef {object} Handle
 * @property {string} id
 * @property {string} label
 * @property {number[]} place where it is
 * @property {number[]} home where it was when its elements were told
 * @property {Element[]} elements
 * @property {boolean} [wraps] false where only one of its images in a space with seams is meant
 * @property {number} reach how far it extends from its place [m]
 */

/** @typedef {(place: import("./linear.js").Vector) => [number, number] | null} Screen */

/** The color of what can be taken, or is held. */
const HELD = tone("held");

/** Pixels beside a line, or a point, that still count. */
const NEAR = 7;

export class Grasp {
  /**
   * @param {Stage} stage
   * @param {(handle: string, position: number[], done: boolean) => Promise<any>} put asks for a move
   */
  constructor(stage, put) {
    this.stage = stage;
    this.put = put;
    /** @type {Handle[]} */
    this.handles = [];
    /** What is under the pointer, or held. @type {Handle | null} */
    this.current = null;
    /** Where it is shown while it is held. @type {number[] | null} */
    this.there = null;
    /** @type {number[]} */
    this.from = [];
    this.asking = false;
    stage.decorate("grasp", [], () => this.glow());
  }

  /** @param {{handles: {id: string, label: string, place: number[], wraps?: boolean, elements: Element[]}[]}} told */
  show({ handles }) {
    const d = this.stage.scene?.dimensions ?? 2;
    this.handles = handles.map((each) => ({ ...each, home: each.place, reach: reachOf(each.elements, each.place, d) }));
    this.current = this.handles.find(({ id }) => id === this.current?.id) ?? null;
    if (!this.current) this.there = null; // What was held is gone.
    this.mark();
  }

  /** What has been moved since, by anybody. @param {{places: Record<string, number[]>}} told */
  moved({ places }) {
    for (const each of this.handles) each.place = places[each.id] ?? each.home;
    this.mark();
  }

  /** Points are seen wherever something heads for them. */
  mark() {
    const points = this.handles.filter(({ elements }) => elements.every(({ kind }) => kind === "marks"));
    const position = new Float32Array(points.flatMap(({ place }) => place));
    const marks = { kind: "marks", layer: 9, shape: "plus", position, size: new Float32Array([7]) };
    const color = new Float32Array(tone("faint"));
    this.stage.decorate("points", this.stage.layers.scenery && points.length ? [{ ...marks, color }] : []);
  }

  /**
   * What is at a pixel; points before lines before areas, and what is nearer before what is farther.
   * @param {number} x
   * @param {number} y
   * @returns {Handle | null}
   */
  at(x, y) {
    const { camera, scene, layers } = this.stage;
    if (!camera || !scene || !layers.scenery) return null;
    const pixelOf = screen(camera);
    const period = scene.period.slice(0, scene.dimensions);
    const images = scene.dimensions === 2 ? imagesOf(period) : [[0, 0, 0]];
    /** @type {Handle | null} */
    let nearest = null;
    let best = Infinity;
    for (const handle of this.handles) {
      for (const image of images) {
        const way = handle.place.map((each, k) => each - handle.home[k] + image[k]);
        const middle = handle.place.map((each, k) => each + image[k]);
        const at = pixelOf(middle);
        if (at && Math.hypot(at[0] - x, at[1] - y) > handle.reach * camera.meter(middle) * 1.3 + 2 * NEAR) continue;
        for (const element of handle.elements) {
          const rank = rankOf(element, way, (place) => pixelOf(place), [x, y], camera.meter(middle));
          const far =
            rank === null ? Infinity : rank + (scene.dimensions === 3 ? 1e-3 * distance(camera.eye, middle) : 0);
          if (far < best) [nearest, best] = [handle, far];
        }
      }
    }
    return nearest;
  }

  /** The pointer is over something, or over nothing. @param {Handle | null} handle */
  hover(handle) {
    if (handle === this.current || this.there) return;
    this.current = handle;
    this.stage.dirty = true;
  }

  /**
   * Take something at a pixel.
   * @param {Handle} handle
   * @param {number} x
   * @param {number} y
   */
  take(handle, x, y) {
    this.current = handle;
    this.there = [...handle.place];
    this.began = [...handle.place];
    this.from = this.stage.camera?.place(x, y, handle.place) ?? handle.place;
    this.stage.dirty = true;
  }

  /**
   * Hold it at another pixel.
   * @param {number} x
   * @param {number} y
   */
  hold(x, y) {
    const { camera } = this.stage;
    if (!this.current || !this.there || !camera) return;
    const now = camera.place(x, y, this.began);
    this.there = this.began.map((each, k) => each + now[k] - this.from[k]);
    this.stage.dirty = true;
    this.ask();
  }

  /** Ask for what is held to be where it is shown; the next time when that is done, for where it is then. */
  async ask() {
    if (this.asking || !this.current || !this.there) return;
    this.asking = true;
    const place = this.there;
    await this.put(this.current.id, place, false);
    this.asking = false;
    if (this.there && this.there !== place) this.ask();
  }

  /** Let it go, where it is or, if nothing was meant, where it was. @param {boolean} [back] */
  async drop(back = false) {
    const { current, there } = this;
    if (!current || !there) return;
    const place = back ? this.began : current.wraps === false ? there : this.wrapped(there);
    this.there = null;
    this.stage.dirty = true;
    await this.put(current.id, place, true);
  }

  /** A place in a space with seams, in its first image. @param {number[]} place */
  wrapped(place) {
    const { low, period } = /** @type {import("./types.js").Scene} */ (this.stage.scene);
    return place.map((each, k) =>
      period[k] ? low[k] + ((((each - low[k]) % period[k]) + period[k]) % period[k]) : each,
    );
  }

  /** What is under the pointer, or held, in a color that says so. @returns {Element[]} */
  glow() {
    const { current } = this;
    if (!current) return [];
    const d = this.stage.scene?.dimensions ?? 2;
    const way = (this.there ?? current.place).map((each, k) => each - current.home[k]);
    return current.elements.flatMap((each) => glowing(shifted(each, way, d)));
  }

  /** Where what is held was. @type {number[]} */
  began = [];
}

/** @param {number[]} period */
function imagesOf(period) {
  const steps = (/** @type {number} */ p) => (p ? [0, -p, p] : [0]);
  return steps(period[0] ?? 0).flatMap((x) => steps(period[1] ?? 0).map((y) => [x, y, 0]));
}

/** @param {number[]} a @param {number[]} b */
const distance = (a, b) => Math.hypot(...b.map((each, k) => a[k] - each));

/** The numbers of places that an element has. @type {("points" | "position" | "triangles" | "tails" | "tips")[]} */
const PLACES = ["points", "position", "triangles", "tails", "tips"];

/**
 * How far elements extend from a place.
 * @param {Element[]} elements
 * @param {number[]} place
 * @param {number} d
 */
function reachOf(elements, place, d) {
  let reach = 0;
  for (const element of elements) {
    const more = element.kind === "glyphs" ? 0.5 * Math.max(...(element.size ?? [0])) : 0;
    for (const name of PLACES) {
      const numbers = element[name] ?? [];
      for (let k = 0; k < numbers.length; k += d) {
        let far = 0;
        for (let c = 0; c < d; c++) far += (numbers[k + c] - place[c]) ** 2;
        reach = Math.max(reach, Math.sqrt(far) + more);
      }
    }
  }
  return reach;
}

/**
 * An element somewhere else.
 * @param {Element} element
 * @param {number[]} way
 * @param {number} d
 * @returns {Element}
 */
export function shifted(element, way, d) {
  const moved = { ...element };
  for (const name of PLACES) {
    const numbers = element[name];
    if (numbers) moved[name] = numbers.map((each, k) => each + way[k % d]);
  }
  return moved;
}

/** @param {Element} element @returns {Element[]} */
function glowing(element) {
  const color = new Float32Array(HELD);
  switch (element.kind) {
    case "areas": {
      const edge = { ...element, edge: HELD, width: new Float32Array([2.6]), plain: true };
      return [{ ...edge, face: element.face ? HELD : null, opacity: 0.25 }];
    }
    case "lines":
      return [{ ...element, color: new Float32Array([...HELD, 1]), width: new Float32Array([3]), plain: true }];
    case "marks":
      return [{ ...element, color, shape: "ring", size: new Float32Array([18]), plain: true }];
    default:
      return [{ ...element, color, plain: true }];
  }
}

/**
 * How an element lies under a pixel: null where it does not, small numbers before large ones.
 * @param {Element} element
 * @param {number[]} way by how much it was moved
 * @param {Screen} pixelOf
 * @param {[number, number]} pixel
 * @param {number} meter pixels a meter
 * @returns {number | null}
 */
function rankOf(element, way, pixelOf, pixel, meter) {
  const d = way.length;
  const places = (/** @type {Float32Array | undefined} */ numbers) =>
    Array.from({ length: (numbers?.length ?? 0) / d }, (_, k) =>
      pixelOf(way.map((each, c) => each + /** @type {Float32Array} */ (numbers)[d * k + c])),
    );
  if (element.kind === "marks" || element.kind === "glyphs") {
    const ranks = places(element.position).map((at, k) => {
      const far = at ? Math.hypot(at[0] - pixel[0], at[1] - pixel[1]) : Infinity;
      if (element.kind === "marks") return far < 1.7 * NEAR ? far - 200 : Infinity;
      return far < Math.max(0.5 * (element.size?.[k] ?? 0) * meter, NEAR) ? 0 : Infinity;
    });
    const least = Math.min(Infinity, ...ranks);
    return least < Infinity ? least : null;
  }
  if (element.kind === "mesh") {
    const corners = places(element.triangles);
    for (let k = 0; k + 2 < corners.length; k += 3) if (around(corners.slice(k, k + 3), pixel)) return 0;
    return null;
  }
  if (element.kind !== "areas" && element.kind !== "lines") return null;
  let first = 0;
  const corners = places(element.points);
  for (const count of element.counts ?? []) {
    const ring = corners.slice(first, first + count);
    first += count;
    if (beside(ring, pixel, element.kind === "areas")) return -100;
    if (element.kind === "areas" && element.face && around(ring, pixel)) return 0;
  }
  return null;
}

/**
 * Whether a ring goes around a pixel.
 * @param {([number, number] | null)[]} ring
 * @param {[number, number]} pixel
 */
function around(ring, [x, y]) {
  let inside = false;
  ring.forEach((a, k) => {
    const b = ring[(k + 1) % ring.length];
    if (!a || !b || a[1] > y === b[1] > y) return;
    if (x < a[0] + ((y - a[1]) * (b[0] - a[0])) / (b[1] - a[1])) inside = !inside;
  });
  return inside;
}

/**
 * Whether a line passes by a pixel.
 * @param {([number, number] | null)[]} line
 * @param {[number, number]} pixel
 * @param {boolean} closed
 */
function beside(line, [x, y], closed) {
  return line.some((a, k) => {
    const b = line[k + 1] ?? (closed ? line[0] : null);
    if (!a || !b) return false;
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const t = Math.min(Math.max(((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1), 0), 1);
    return Math.hypot(a[0] + t * dx - x, a[1] + t * dy - y) < NEAR;
  });
}
