// Frames: the places of all vehicles, from Python or from a recording, and their earlier places.

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").Bodies} Bodies */
/** @typedef {import("./types.js").Scene} Scene */

/** @typedef {{tracks: Frame[], branch: number, cut: number}} Tracks where some vehicles have been at the steps before a frame */

/**
 * What is in a message of bytes: the length of its head, the head, and columns of float32, ids of uint32; tracks may follow each other.
 * @param {ArrayBuffer} data
 * @returns {Frame | Tracks[]}
 */
export function frameIn(data) {
  let [at, head] = [0, /** @type {any} */ (null)];
  const open = () => {
    const length = new DataView(data).getUint32(at, true);
    head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, at + 4, length)));
    at += 4 + length;
  };
  const column = (/** @type {number} */ count) => {
    const numbers = new Float32Array(data, at, count);
    at += 4 * count;
    return numbers;
  };
  const ids = (/** @type {number} */ count) => {
    at += 4 * count;
    return new Uint32Array(data, at - 4 * count, count);
  };
  open();
  if (head.track) {
    const parts = [];
    for (; ; open()) {
      const tracks = head.track.map((/** @type {any} */ { time, steps, populations: there }) => ({
        time,
        steps,
        populations: Object.fromEntries(
          there.map((/** @type {any} */ { name, n, d }) => [name, { n, id: ids(n), position: column(n * d) }]),
        ),
      }));
      parts.push({ tracks, branch: head.branch, cut: head.cut });
      if (at >= data.byteLength) return parts;
    }
  }
  /** @type {Record<string, Bodies>} */
  const populations = {};
  for (const { name, n, d, of, broad, long, velocity, ...coded } of head.populations) {
    const { low, step, first = null, size: alike = null } = coded;
    const id = first === null ? ids(n) : Uint32Array.from({ length: n }, (_, k) => first + k);
    const size = alike === null ? column(n) : new Float32Array(n).fill(alike);
    const width = broad ? column(n) : undefined;
    const axis = long ? column(n) : undefined;
    const [place, heading] = low ? [undefined, undefined] : [column(n * d), column(n * d)];
    const up = d === 3 ? column(n * d) : undefined;
    const speed = velocity ? column(n * d) : undefined;
    const position = place ?? new Float32Array(n * d);
    const forward = heading ?? new Float32Array(n * d);
    if (low) {
      const numbers = new Uint16Array(data, at, 2 * n * d);
      at += 4 * n * d;
      for (let k = 0; k < n * d; k++) {
        position[k] = low[k % d] + step * numbers[k];
        forward[k] = (numbers[n * d + k] - 32768) / 32767;
      }
    }
    populations[name] = { n, of: of ?? n, id, size, width, axis, position, forward, up, velocity: speed };
  }
  const { time, steps, pace, branch, cut } = head;
  return { time, steps, pace, branch, cut, populations };
}

/**
 * A JSON message, with its arrays as such.
 * @param {string} text
 */
export function messageIn(text) {
  return JSON.parse(text, (_, value) => {
    if (Array.isArray(value?.f32)) return new Float32Array(value.f32);
    const packed = value?.f32 ?? value?.u32;
    if (typeof packed !== "string") return value;
    const { buffer } = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    return value.u32 ? new Uint32Array(buffer) : new Float32Array(buffer);
  });
}

/**
 * Where a vehicle is in a frame, and its axes; null of one that is not there.
 * @param {import("./types.js").Frame | null} frame
 * @param {{population: string, id: number}} vehicle
 */
export function bodyIn(frame, { population, id }) {
  const bodies = frame?.populations[population];
  const row = bodies ? bodies.id.indexOf(id) : -1;
  if (!bodies || row < 0) return null;
  const d = bodies.position.length / bodies.n;
  const of = (/** @type {Float32Array} */ column) => [...column.subarray(d * row, d * row + d)];
  return { position: of(bodies.position), forward: of(bodies.forward), up: bodies.up && of(bodies.up) };
}

/**
 * Whether two are one vehicle, or both are none: ids count within a population.
 * @param {{population: string, id: number} | null | undefined} one
 * @param {{population: string, id: number} | null | undefined} other
 */
export const isSame = (one, other) => one?.population === other?.population && one?.id === other?.id;

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
 * In which rows others are, -1 for those who are not there.
 * @param {Uint32Array} ids in which to look; they mostly ascend, as those that are looked for
 * @param {Uint32Array} others
 * @returns {Int32Array}
 */
function rowsIn(ids, others) {
  const matches = new Int32Array(others.length).fill(-1);
  const ascend = (/** @type {Uint32Array} */ of) => of.every((id, k) => k === 0 || of[k - 1] < id);
  if (ascend(ids) && ascend(others)) {
    for (let k = 0, row = 0; k < others.length; k++) {
      while (row < ids.length && ids[row] < others[k]) row += 1;
      if (ids[row] === others[k]) matches[k] = row;
    }
    return matches;
  }
  const rows = new Map(Array.from(ids, (id, k) => [id, k]));
  return matches.map((_, k) => rows.get(others[k]) ?? -1);
}

/** What was aligned last, and how: each picture asks several times. @type {WeakMap<Bodies, {before: Bodies, made: Bodies}>} */
const ALIGNED = new WeakMap();

/**
 * The same bodies in the order of others: whoever was not there is taken from there.
 * @param {Bodies} before
 * @param {Bodies} after
 * @returns {Bodies}
 */
export function aligned(before, after) {
  if (sameIds(before, after)) return before;
  const known = ALIGNED.get(after);
  if (known?.before === before) return known.made;
  const d = after.n ? after.position.length / after.n : 2;
  const rows = rowsIn(before.id, after.id);
  const taken = (/** @type {Float32Array} */ from, /** @type {Float32Array} */ otherwise) => {
    const numbers = otherwise.slice();
    rows.forEach((row, k) => {
      for (let c = 0; c < d && row >= 0; c++) numbers[d * k + c] = from[d * row + c];
    });
    return numbers;
  };
  const made = {
    n: after.n,
    id: after.id,
    size: after.size,
    width: after.width,
    axis: after.axis,
    position: taken(before.position, after.position),
    forward: taken(before.forward, after.forward),
    up: before.up && after.up ? taken(before.up, after.up) : undefined,
  };
  ALIGNED.set(after, { before, made });
  return made;
}

/**
 * The places of some vehicles; those that are not there are where they are in the others.
 * @param {Bodies} bodies
 * @param {Bodies} of the vehicles, in their order
 * @param {number} d
 */
function placesOf(bodies, of, d) {
  if (bodies === of || sameIds(of, bodies)) return bodies.position;
  const places = of.position.slice();
  rowsIn(bodies.id, of.id).forEach((row, k) => {
    for (let c = 0; c < d && row >= 0; c++) places[d * k + c] = bodies.position[d * row + c];
  });
  return places;
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

/** Simulated time that is kept [s]. */
export const MINUTE = 60;

/** The size of all frames that are kept, at most, and of all tracks [bytes]. */
export const LARGEST = 96 * 2 ** 20;
const TRACKS = 24 * 2 ** 20;

/** @param {Bodies} bodies */
const sizeOf = (bodies) =>
  [bodies.position, bodies.forward, bodies.up].reduce((sum, each) => sum + (each?.byteLength ?? 0), 0);

/** @param {Frame} frame */
const bytesOf = (frame) => Object.values(frame.populations).reduce((sum, each) => sum + sizeOf(each), 0);

/** Whether vehicles are missing, which no picture shows. @param {Frame} frame */
export const isPart = (frame) => Object.values(frame.populations).some(({ n, of = n }) => n < of);

/** The numbers of a column; those of before, where they are the same. @template {Float32Array | Uint32Array | undefined} T @param {T} was @param {T} now @returns {T} */
const shared = (was, now) => {
  if (!now) return now;
  if (was && was.length === now.length && was.every((each, k) => each === now[k])) return was;
  return /** @type {T} */ (now.slice());
};

/** The frames of the last minute; where they become too large, every other one is forgotten. */
export class Kept {
  constructor() {
    /** @type {Frame[]} */
    this.frames = [];
    this.bytes = this.gap = 0;
    this.branch = -1;
  }

  clear() {
    Object.assign(this, new Kept());
  }

  /** A frame of the present, or of a past that is repeated; those of a part of the vehicles are not kept. @param {Frame} frame */
  add(frame) {
    if (frame.branch !== this.branch) this.cut(frame.cut ?? frame.steps);
    this.branch = frame.branch ?? -1;
    if (isPart(frame)) return;
    const last = this.frames.at(-1);
    if (last && (frame.steps <= last.steps || frame.steps < last.steps + this.gap)) return;
    /** @type {Record<string, Bodies>} */
    const populations = {};
    for (const [name, bodies] of Object.entries(frame.populations)) {
      const was = last?.populations[name];
      if (was) sameIds(was, bodies);
      const [id, size, width, axis] = [bodies.id, bodies.size, bodies.width, bodies.axis].map((each, k) =>
        shared([was?.id, was?.size, was?.width, was?.axis][k], each),
      );
      const [position, forward, up] = [bodies.position, bodies.forward, bodies.up].map((each) => each?.slice());
      populations[name] = /** @type {Bodies} */ ({ n: bodies.n, id, size, width, axis, position, forward, up });
    }
    const made = { time: frame.time, steps: frame.steps, populations };
    this.frames.push(made);
    this.bytes += bytesOf(made);
    while (this.frames.length > 2 && this.frames[1].time < frame.time - MINUTE)
      this.bytes -= bytesOf(/** @type {Frame} */ (this.frames.shift()));
    if (this.bytes > LARGEST) this.thin();
  }

  thin() {
    const count = this.frames.length;
    this.gap = Math.max(1, Math.ceil((2 * (this.frames[count - 1].steps - this.frames[0].steps)) / (count - 1)));
    this.frames = this.frames.filter((_, k) => k % 2 === (count - 1) % 2);
    this.bytes = this.frames.reduce((sum, each) => sum + bytesOf(each), 0);
  }

  /** Forget what comes after an instant, because another run follows. @param {number} steps */
  cut(steps) {
    while (this.frames.length && this.frames[this.frames.length - 1].steps > steps)
      this.bytes -= bytesOf(/** @type {Frame} */ (this.frames.pop()));
  }
}

/**
 * The frames before and after a time, and how far it is between them.
 * @param {Frame[]} frames
 * @param {number} time
 * @returns {[Frame, Frame, number]}
 */
export function around(frames, time) {
  let [low, high] = [0, frames.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (frames[middle].time <= time) low = middle;
    else high = middle;
  }
  const [before, after] = [frames[low], frames[high]];
  const part = after.time > before.time ? (time - before.time) / (after.time - before.time) : 1;
  return [before, after, Math.min(Math.max(part, 0), 1)];
}

/** Vehicles of a population that leave a trail, at most. */
const FOLLOWED = 400;

/** The size of a dot on a trail [points]. */
const DOT = 3.2;

/** Instants that a trail leads through, at most. */
const SAMPLES = 120;

/** Where some of the vehicles have been, by simulated steps. */
export class Trails {
  constructor() {
    /** In the order of time. @type {Frame[]} */
    this.frames = [];
    this.seconds = 2;
    /** Time between dots along the trails [s]; null for none. @type {number | null} */
    this.dots = null;
    this.branch = -1;
  }

  /** Those of a run that is repeated are there already. @param {Tracks} told */
  add({ tracks, branch, cut }) {
    if (branch !== this.branch) this.frames = this.frames.filter(({ steps }) => steps <= cut);
    this.branch = branch;
    const last = this.frames.at(-1)?.steps ?? -1;
    this.frames.push(...tracks.filter(({ steps }) => steps > last));
    const now = this.frames.at(-1)?.time ?? 0;
    const each = this.frames.length ? 1.5 * bytesOf(this.frames[this.frames.length - 1]) : 0;
    const most = each ? Math.max(2, TRACKS / each) : Infinity;
    let old = 0;
    while (old < this.frames.length - 2 && (this.frames[old].time < now - MINUTE || this.frames.length - old > most))
      old += 1;
    this.frames.splice(0, old);
  }

  /**
   * The trails up to a frame as pieces of lines, twelve numbers each (see painter).
   * @param {Scene} scene
   * @param {Frame} now
   * @param {(name: string, id: number) => number[]} shade the color of each
   * @param {(name: string, id: number) => number} [dense] how dense each is, as a part of the usual
   * @returns {Float32Array}
   */
  pieces(scene, now, shade, dense = () => 1) {
    if (!(this.seconds > 0)) return new Float32Array(0);
    const d = scene.dimensions;
    const samples = [...this.sampled(now.time), now];
    /** @type {number[]} */
    const numbers = [];
    for (const { name } of scene.populations) {
      const color = (/** @type {number} */ id) => shade(name, id);
      for (let k = 1; k < samples.length; k++) {
        const [from, to] = [samples[k - 1].populations[name], samples[k].populations[name]];
        if (!from || !to) continue;
        const age = 1 - (now.time - samples[k].time) / this.seconds;
        const alpha = Math.max(0, d === 2 ? 0.12 + 0.5 * age : 0.4 * Math.max(age, 0) ** 1.5);
        const look = (/** @type {number} */ id) => [alpha * dense(name, id), 0.3 + 1.5 * Math.max(age, 0), 0];
        this.link(numbers, from, to, d, scene.period, color, look);
      }
      this.dot(numbers, name, now, d, scene.period, color);
    }
    return new Float32Array(numbers);
  }

  /**
   * Dots where vehicles were at equal times, which stay where they are: lines without a length.
   * @param {number[]} numbers
   * @param {string} name
   * @param {Frame} now
   * @param {number} d
   * @param {number[]} period
   * @param {(id: number) => number[]} color
   */
  dot(numbers, name, now, d, period, color) {
    if (!this.dots) return;
    const all = [...this.frames.filter(({ time }) => time < now.time - 1e-9), now];
    const first = Math.max(all[0].time, now.time - Math.min(this.seconds, SAMPLES * this.dots));
    for (let k = Math.ceil(first / this.dots - 1e-6); k * this.dots < now.time - 1e-6; k++) {
      const [before, after, part] = around(all, k * this.dots);
      const [from, to] = [before.populations[name], after.populations[name]];
      if (!from || !to) continue;
      const fewer = from.n < to.n ? from : to;
      const [older, newer] = [from, to].map((each) => ({ ...fewer, position: placesOf(each, fewer, d) }));
      const every = Math.max(1, Math.ceil(fewer.n / FOLLOWED));
      for (let row = 0; row < fewer.n; row += every) {
        const place = [0, 0, 0];
        between(older, newer, row, part, period).forEach((x, c) => (place[c] = x));
        numbers.push(...place, ...place, ...color(fewer.id[row]), 1, DOT, 0);
      }
    }
  }

  /** The instants that trails lead through, before a time. @param {number} time */
  sampled(time) {
    const lately = this.frames.filter((frame) => frame.time >= time - this.seconds && frame.time < time - 1e-9);
    if (lately.length <= SAMPLES) return lately;
    const every = Math.ceil(lately.length / SAMPLES);
    const gap = (lately[lately.length - 1].steps - lately[0].steps) / (lately.length - 1);
    return lately.filter(({ steps }) => Math.round(steps / gap) % every === 0);
  }

  /**
   * @param {number[]} numbers
   * @param {Bodies} from
   * @param {Bodies} to
   * @param {number} d
   * @param {number[]} period
   * @param {(id: number) => number[]} color
   * @param {(id: number) => number[]} look
   */
  link(numbers, from, to, d, period, color, look) {
    // Of a large population the steps have some vehicles, and the last frame has all of them.
    const fewer = from.n < to.n ? from : to;
    const [older, newer] = [from, to].map((each) => placesOf(each, fewer, d));
    const every = Math.max(1, Math.ceil(fewer.n / FOLLOWED));
    for (let k = 0; k < fewer.n; k += every) {
      const place = [0, 0, 0, 0, 0, 0];
      let whole = true;
      for (let c = 0; c < d; c++) {
        [place[c], place[3 + c]] = [older[d * k + c], newer[d * k + c]];
        if (period[c] && Math.abs(place[3 + c] - place[c]) > period[c] / 2) whole = false;
      }
      if (whole) numbers.push(...place, ...color(fewer.id[k]), ...look(fewer.id[k]));
    }
  }
}
