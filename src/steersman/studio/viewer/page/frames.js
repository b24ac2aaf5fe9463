// Frames: where everybody is, as it comes from Python or from a recording, and where they have been.

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").Bodies} Bodies */
/** @typedef {import("./types.js").Scene} Scene */

/**
 * The frame in a message: the length of its head, the head, and columns of float32.
 * @param {ArrayBuffer} data
 * @returns {Frame}
 */
export function frameIn(data) {
  const length = new DataView(data).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  let at = 4 + length;
  const column = (/** @type {number} */ count) => {
    const numbers = new Float32Array(data, at, count);
    at += 4 * count;
    return numbers;
  };
  /** @type {Record<string, Bodies>} */
  const populations = {};
  for (const { name, n, d, broad, velocity } of head.populations) {
    const [id, size, width] = [column(n), column(n), broad ? column(n) : undefined];
    const bodies = { n, id, size, width, position: column(n * d), forward: column(n * d) };
    const up = d === 3 ? column(n * d) : undefined;
    populations[name] = { ...bodies, up, velocity: velocity ? column(n * d) : undefined };
  }
  return { time: head.time, steps: head.steps, pace: head.pace, populations };
}

/**
 * A JSON message, with its arrays as such.
 * @param {string} text
 */
export function messageIn(text) {
  return JSON.parse(text, (_, value) => {
    if (value === null || typeof value !== "object" || typeof value.f32 !== "string") return value;
    const bytes = Uint8Array.from(atob(value.f32), (c) => c.charCodeAt(0));
    return new Float32Array(bytes.buffer);
  });
}

/**
 * Whether the same vehicles are there, in the same order; those that are once known to be share their array of ids.
 * @param {Bodies} before
 * @param {Bodies} after
 */
export function sameIds(before, after) {
  if (before.id === after.id) return true;
  if (before.n !== after.n || !before.id.every((id, k) => id === after.id[k])) return false;
  after.id = before.id;
  return true;
}

/**
 * The same bodies in the order of others: whoever was not there is taken from there.
 * @param {Bodies} before
 * @param {Bodies} after
 * @returns {Bodies}
 */
export function aligned(before, after) {
  if (sameIds(before, after)) return before;
  const d = after.n ? after.position.length / after.n : 2;
  const rows = new Map(Array.from(before.id, (id, k) => [id, k]));
  const taken = (/** @type {Float32Array} */ from, /** @type {Float32Array} */ otherwise) => {
    const numbers = otherwise.slice();
    after.id.forEach((id, k) => {
      const row = rows.get(id);
      if (row !== undefined) numbers.set(from.subarray(d * row, d * row + d), d * k);
    });
    return numbers;
  };
  return {
    n: after.n,
    id: after.id,
    size: after.size,
    width: after.width,
    position: taken(before.position, after.position),
    forward: taken(before.forward, after.forward),
    up: before.up && after.up ? taken(before.up, after.up) : undefined,
  };
}

/**
 * Where a body is between two frames, in the shortest way across a seam.
 * @param {Bodies} before aligned with the ones after
 * @param {Bodies} after
 * @param {number} row
 * @param {number} part
 * @param {number[]} period
 */
export function between(before, after, row, part, period) {
  const d = after.position.length / after.n;
  return Array.from({ length: d }, (_, c) => {
    let way = after.position[d * row + c] - before.position[d * row + c];
    if (period[c]) way -= period[c] * Math.round(way / period[c]);
    return before.position[d * row + c] + part * way;
  });
}

/** Vehicles of a population that leave a trail, at most. */
const FOLLOWED = 400;

/** Where some of the vehicles have been during the last seconds. */
export class Trails {
  constructor() {
    /** @type {Frame[]} */
    this.frames = [];
    this.seconds = 2;
  }

  /** @param {Frame} frame */
  add(frame) {
    const last = this.frames.at(-1);
    if (last && (frame.time < last.time || frame.time > last.time + 5)) this.frames = [];
    else if (last && frame.time === last.time) this.frames.pop();
    this.frames.push(frame);
    while (this.frames.length > 2 && this.frames[1].time < frame.time - this.seconds) this.frames.shift();
  }

  /**
   * The trails as pieces of lines, twelve numbers each (see painter).
   * @param {Scene} scene
   * @param {(name: string, id: number) => number[]} shade the color of each
   * @returns {Float32Array}
   */
  pieces(scene, shade) {
    const now = this.frames.at(-1);
    if (!now || this.frames.length < 2 || !(this.seconds > 0)) return new Float32Array(0);
    const d = scene.dimensions;
    const samples = this.sampled();
    /** @type {number[]} */
    const numbers = [];
    for (const { name } of scene.populations) {
      const color = (/** @type {number} */ id) => shade(name, id);
      for (let k = 1; k < samples.length; k++) {
        const [from, to] = [samples[k - 1].populations[name], samples[k].populations[name]];
        if (!from || !to) continue;
        const age = 1 - (now.time - samples[k].time) / this.seconds;
        const alpha = Math.max(0, d === 2 ? 0.05 + 0.5 * age : 0.4 * Math.max(age, 0) ** 1.5);
        this.link(numbers, from, to, d, scene.period, color, [alpha, 0.5 + 0.9 * Math.max(age, 0), 0]);
      }
    }
    return new Float32Array(numbers);
  }

  /** The frames, some sixty at most. */
  sampled() {
    const every = Math.ceil(this.frames.length / 60);
    const last = this.frames.length - 1;
    return this.frames.filter((frame, k) => k === last || Math.round(frame.steps) % every === 0 || every === 1);
  }

  /**
   * @param {number[]} numbers
   * @param {Bodies} from
   * @param {Bodies} to
   * @param {number} d
   * @param {number[]} period
   * @param {(id: number) => number[]} color
   * @param {number[]} look
   */
  link(numbers, from, to, d, period, color, look) {
    const before = aligned(from, to);
    const every = Math.max(1, Math.ceil(to.n / FOLLOWED));
    for (let k = 0; k < to.n; k += every) {
      const place = [0, 0, 0, 0, 0, 0];
      let whole = true;
      for (let c = 0; c < d; c++) {
        [place[c], place[3 + c]] = [before.position[d * k + c], to.position[d * k + c]];
        if (period[c] && Math.abs(place[3 + c] - place[c]) > period[c] / 2) whole = false;
      }
      if (whole) numbers.push(...place, ...color(to.id[k]), ...look);
    }
  }
}
