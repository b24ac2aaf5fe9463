// The stage: a scene with its vehicles between two frames, painted at every refresh of the screen.

import { cameraOf, planesOf, screen } from "./camera.js";
import { TABLES, colorIn, tone } from "./palette.js";
import { LAND, PIECE, POINT, Painter, SHADE } from "./painter.js";
import { AWAY } from "./shaders.js";
import { clamp } from "./linear.js";
import { Trails, aligned, between, isPart, isSame } from "./frames.js";
import { density } from "./density.js";
import { Framing } from "./framing.js";
import { castOf } from "./cast.js";
import { GOAL, PREDICTED } from "./names.js";
import { BODY, CHOSEN, GUIDE, PLACE, ROUND, edgesOf, isWall, linesOf } from "./outlines.js";
import { byId } from "./controls.js";
import { hold } from "./notices.js";
import { page } from "./root.js";

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./types.js").Bodies} Bodies */
/** @typedef {import("./painter.js").GpuBodies} GpuBodies */
/** @typedef {{population: string, id: number}} VehicleKey */
/** @typedef {{layer: number, kind: string, means: string, says: string, slight: boolean, corners: number, marks: number, draw: import("./painter.js").Draw, free: () => void}} Prepared */
/** @typedef {{layer: number, kind: string, means: string, says: string, slight: boolean, draw: import("./painter.js").Draw, free: () => void}} Piece */
/**
 * Additions to the picture: what stays as it is, and what is made anew for each picture.
 * @typedef {{prepared: Prepared[], elements: Element[], words: Element[], moving?: Element[], made?: Element[], make: (() => Element[]) | null}} Addition
 */

/** Kinds of construction, by what their colors mean. @type {Record<string, keyof Stage["layers"]>} */
const KINDS = {
  [GOAL]: "target",
  [PREDICTED]: "predicted",
  "its course": "predicted",
  [CHOSEN]: "chosen",
  "where not to be": "danger",
  [GUIDE]: "guide",
};
const ROOM = 0.06; // What is seen around the crowd, as a part of the picture.
const LEAST = 0.3; // The smallest picture of a crowd, as a part of the first one.
const GATHERED = 0.7; // It comes nearer when the crowd covers less than this part of the picture.
const CALM = 0.02; // The part of the way that it then goes with each frame.
/** How far away and how near a hand takes the camera: beyond, numbers of the grid are all the same. @type {[number, number]} */
const REACH = [1e-3, 1e5];
const CLOSEST = 12; // How much nearer a tour comes than where everything is seen.
const GLIDE = 0.12; // The part of the way to a goal that the camera goes with a refresh of the screen.
const RING = 15; // The radius of the glow around the explained vehicle is no smaller [pixels of CSS],
const AROUND = 0.6; // and so many of its lengths.
const PALE = 0.3; // The opacity of other vehicles in the lens.
const VEIL = { light: 0.4, dark: 0.42, solid: 0.75 }; // How much of the ground lies over vehicles that are no part of the explanation, in space less,
/** and how dense other arrows, marks, dashed lines and areas that are seen through, constructions, trails and the grid are then. */
const FAINT = { arrows: 0.18, marks: 0.5, slight: 0.5, notes: 0.35, trails: 0.2, grid: 0.85 };
const GLOW = 1.65; // The glow of the explained vehicle is so many times as large as the ring where its arrows begin.
const SHADOW = { most: 600, many: 150, light: 0.15, dark: 0.3, layers: [0.3, 0.65, 1], soft: 0.08 }; // So few have shadows, of fewer layers where they are many; how dense these are, how far their layers reach, and how much larger the last one is than the body.
const MANY = 3000; // More vehicles have no rims.
/** Layers of the shadow of walls: how far they lie [pixels of CSS], by how much they are wider [points], and their density. */
const WALL = [
  { far: 1, wider: 4, opacity: 0.1 },
  { far: 5, wider: 1, opacity: 0.12 },
  { far: 8.6, wider: 0, opacity: 0.09 },
];
const BRIGHT = 0.4; // How much of their own color lies over the shades of those that take part, in space.
const LOFT = 0.08; // How dense a floor above the explained vehicle is, and what stands there;
const OVERHEAD = 0.5; // it is higher by so much [m].
const PERSON = 0.45; // How much of its color the body beneath a person has, as a part of the usual.
const SINGLE = 3; // So few marks of one kind of a note are above vehicles.
const HALO = 2; // Of ground around arrows and marks of the explanation [pixels of CSS],
const RIM = 5; // and by how much the shape of ground beneath the explained vehicle is longer.
const EDGE = { wide: 0.09, dark: 0.5 }; // The edges of vehicles in the plane: their width, as a part of the size, and how much darker they are.
const WITHIN = 0.8; // How long a vehicle is that its body covers, in diameters.

export class Stage {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.painter = new Painter(canvas);
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {import("./camera.js").Camera | null} */
    this.camera = null;
    /** @type {Frame | null} */
    this.before = null;
    /** @type {Frame | null} */
    this.after = null;
    this.part = 1;
    this.arrived = 0;
    this.interval = 1000 / 30;
    this.trails = new Trails();
    /** @type {Piece[]} */
    this.scenery = [];
    /** By the owner that has added it. @type {Map<string, Addition>} */
    this.extra = new Map();
    /** @type {Element[]} */
    this.elements = [];
    /** @type {Element[]} */
    this.texts = [];
    /** Edges of obstacles, and of regions too, once they are asked for. @type {number[][][][] | null} */
    this.outlines = null;
    /** Floors in space, once they are asked for. @type {number[][][] | null} */
    this.floors = null;
    /** @type {Record<string, {before: GpuBodies, after: GpuBodies}>} */
    this.bodies = {};
    /** @type {WebGLBuffer | null} */
    this.trail = null;
    this.trailPieces = 0;
    /** @type {VehicleKey | null} */
    this.selected = null;
    this.following = false;
    /** Elements that say which vehicles take part in the explanation. @type {Element[]} */
    this.telling = [];
    /** Those that do, by population. @type {Map<string, Set<number>>} */
    this.cast = new Map();
    /** Those of them who count, which wear its color where they are like the explained one. @type {Map<string, Set<number>>} */
    this.peers = new Map();
    this.framing = new Framing(this);
    /** The scene whose explained vehicle the camera has come near to. @type {Scene | null} */
    this.approached = null;
    this.layers = {
      trails: true,
      scenery: true,
      flow: true,
      vehicles: true,
      grid: true,
      ids: false,
      velocity: false,
      why: true,
      near: true,
      sketch: true,
      target: true,
      predicted: true,
      chosen: true,
      danger: true,
      guide: true,
      lens: true,
      scale: false,
    };
    /** Whether forces and sketches of all vehicles are shown; otherwise those of the vehicle that was clicked. */
    this.showsAll = false;
    this.colorBy = "population";
    /** Numbers that give colors, by population and id, where Python tells them. @type {Record<string, Map<number, number>>} */
    this.numbers = {};
    /** Whether these are numbers of words, each with a color of its own, and not parts of a ramp. */
    this.byWord = false;
    this.smooth = true;
    this.dirty = true;
    this.painted = 0;
    this.ended = false;
    /** Whether the world is paused: words then stand where they cover least. */
    this.still = false;
    page.darkness((dark) => {
      if (this.painter.dark !== dark) this.repaint(dark);
    });
    new ResizeObserver(() => (this.dirty = true)).observe(canvas);
    canvas.addEventListener("webglcontextlost", (event) => {
      if (this.ended) return;
      event.preventDefault(); // Without it, the context is never restored.
      hold("graphics", "The graphics card is busy with something else; the picture comes back when it is free.");
    });
    canvas.addEventListener("webglcontextrestored", () => this.rebuild());
    requestAnimationFrame((now) => this.refresh(now));
  }

  /** Bring everything to the graphics card anew, which has forgotten all that it had. */
  rebuild() {
    const { dark, transparent } = this.painter;
    this.painter = Object.assign(new Painter(this.canvas), { dark, transparent });
    [this.scenery, this.bodies, this.trail, this.trailPieces] = [[], {}, null, 0];
    hold("graphics", "");
    const added = [...this.extra];
    this.extra.clear();
    for (const [name, { elements, make }] of added) this.decorate(name, elements, make);
    if (!this.scene) return;
    this.painter.adopt(this.scene.shapes);
    this.furnish(this.elements);
    this.upload();
  }

  /** The paper gets dark or light, and all colors with it. @param {boolean} dark */
  repaint(dark) {
    this.painter.dark = dark;
    this.dirty = true;
    for (const [name, { elements, make }] of [...this.extra]) this.decorate(name, elements, make);
    this.furnish(this.elements);
    this.upload();
  }

  /** @param {Scene} scene */
  show(scene) {
    const same = this.scene && this.scene.name === scene.name && this.scene.dimensions === scene.dimensions;
    const alike =
      same && String(this.scene?.low) === String(scene.low) && String(this.scene?.high) === String(scene.high);
    this.scene = scene;
    if (!alike || !this.camera || !scene.limited) this.camera = cameraOf(scene);
    this.camera.scene = scene;
    this.painter.adopt(scene.shapes);
    this.furnish(scene.elements);
    this.first = [[...scene.low], [...scene.high]];
    this.standing = cornersOf(scene.elements, this.first);
    this.before = this.after = null;
    for (const { before, after } of Object.values(this.bodies)) [before, after].forEach((each) => this.release(each));
    this.bodies = {};
    this.trails.frames = [];
    if (!alike) this.trails.seconds = scene.trails;
    this.trails.dots = scene.dots;
    this.dirty = true;
  }

  /** Another scenery. @param {Element[]} elements */
  furnish(elements) {
    this.scenery.forEach((each) => each.free());
    const d = this.scene?.dimensions ?? 2;
    this.elements = elements;
    this.outlines = this.floors = null;
    this.texts = elements.filter((each) => each.kind === "texts");
    this.scenery = elements
      .flatMap((each) => (d === 2 ? solid(each) : [each]))
      .map((each) => ({ ...this.painter.prepare(each, d), kind: each.fixed ? "notes" : each.kind }))
      .sort((a, b) => a.layer - b.layer);
    this.dirty = true;
  }

  /**
   * Show something beyond the scene: arrows of an explanation, say.
   * @param {string} owner a name; what was added under it before is gone
   * @param {Element[]} [elements]
   * @param {(() => Element[]) | null} [make] called for each picture, for what follows the vehicles
   */
  decorate(owner, elements = [], make = null) {
    this.extra.get(owner)?.prepared.forEach((each) => each.free());
    const d = this.scene?.dimensions ?? 2;
    const prepared = elements.map((each) => this.painter.prepare(each, d));
    this.extra.set(owner, { prepared, elements, words: elements.filter((each) => each.kind === "texts"), make });
    this.dirty = true;
  }

  /** The size of a pixel [m]; 0 before there is a picture. */
  get pixel() {
    const { camera, canvas } = this;
    return camera && canvas.clientWidth ? 1 / (camera.meter(camera.middle) * (window.devicePixelRatio || 1)) : 0;
  }

  /** This picture and the one beside it, which are moved together. @returns {Stage[]} */
  get both() {
    const other = this.twin?.();
    return other && other !== this ? [this, other] : [this];
  }

  /**
   * Move the cameras as a hand does.
   * @param {"zoom" | "drag" | "pan"} how
   * @param {...number} about
   */
  move(how, ...about) {
    for (const each of this.both) {
      const { camera } = each;
      if (!camera) continue;
      const [size, ...rest] = about;
      const now = camera.meter(camera.middle) / camera.whole;
      const much = how === "zoom" ? clamp(now * size, ...REACH) / now : size;
      /** @type {any} */ (camera)[how](much, ...rest);
      each.framing.release();
      each.dirty = true;
    }
  }

  /** Come near to the explained vehicle and what it steers by, or see everything. */
  come() {
    const near = this.selected && !this.following;
    for (const each of this.both) {
      if (near) each.framing.begin();
      else [each.following] = [false, each.camera?.fit()];
      each.dirty = true;
    }
  }

  /** What is seen, as planes; null where that is everything. */
  get view() {
    return this.camera && this.canvas.clientWidth ? planesOf(this.camera) : null;
  }

  /** Texts that were added. @returns {Element[]} */
  get words() {
    return [...this.extra].flatMap(([name, each]) =>
      name === "notes" && !this.layers.scenery ? [] : [...each.words, ...(each.moving ?? [])],
    );
  }

  /**
   * Take a new frame; until the next one, all vehicles move toward it.
   * @param {Frame} frame
   * @param {boolean} [still] whether all vehicles are there at once
   */
  receive(frame, still = false) {
    const now = performance.now();
    const waited = now - this.arrived;
    if (waited > 4) this.interval += 0.2 * (Math.min(waited, 250) - this.interval);
    this.arrived = now;
    this.before = this.after && !still && frame.time > this.after.time ? this.after : frame;
    this.after = frame;
    this.smooth = true;
    this.widen(frame);
    this.upload();
  }

  /**
   * Where space has no end, the picture follows the crowd until the user moves it: it grows at once with those who leave it,
   * and shrinks calmly when they gather, as far as what stands there is seen.
   * @param {Frame} frame
   */
  widen(frame) {
    const { scene, camera } = this;
    if (!scene || !camera || scene.limited || this.held || !("touched" in camera) || camera.touched || isPart(frame))
      return;
    const [low, high] = extentOf(frame, this.standing);
    if (!(low[0] <= high[0])) return;
    const across = (/** @type {number[][]} */ [from, to]) => Math.max(to[0] - from[0], to[1] - from[1]);
    const wide = Math.max(across([low, high]), LEAST * across(this.first));
    const gathered = wide < GATHERED * across([scene.low, scene.high]);
    let moved = gathered;
    for (let c = 0; c < 2; c++) {
      const room = ROOM * (scene.high[c] - scene.low[c]);
      if (low[c] < scene.low[c] || high[c] > scene.high[c]) moved = true;
      if (low[c] < scene.low[c]) scene.low[c] = low[c] - room;
      if (high[c] > scene.high[c]) scene.high[c] = high[c] + room;
      if (!gathered) continue;
      const spare = room + Math.max(0, (wide - (high[c] - low[c])) / 2);
      scene.low[c] += CALM * Math.max(0, low[c] - spare - scene.low[c]);
      scene.high[c] -= CALM * Math.max(0, scene.high[c] - high[c] - spare);
    }
    if (!moved) return;
    scene.middle = scene.low.map((each, c) => (each + scene.high[c]) / 2);
    camera.fit();
  }

  /**
   * Stand between two frames, as a recording does.
   * @param {Frame} before
   * @param {Frame} after
   * @param {number} part
   */
  stand(before, after, part) {
    if (this.before !== before || this.after !== after) {
      [this.before, this.after] = [before, after];
      this.upload();
    }
    this.part = part;
    this.smooth = false;
    this.dirty = true;
  }

  /** Bring both frames to the graphics card. */
  upload() {
    const { before, after, painter, scene } = this;
    if (!before || !after || !scene) return;
    for (const { name, max_speed } of scene.populations) {
      const now = after.populations[name];
      if (!now) continue;
      const was = before.populations[name] ? aligned(before.populations[name], now) : now;
      const older = this.bodies[name];
      const value = this.values(name, was, now, after.time - before.time, max_speed);
      if (value) this.valued.set(name, value);
      else this.valued.delete(name);
      this.bodies[name] = {
        before: this.gpu(was, older?.before, null),
        after: this.gpu(now, older?.after, value),
      };
    }
    const pieces = this.layers.trails
      ? this.trails.pieces(scene, before, this.shades(), this.strengths())
      : new Float32Array(0);
    this.trailPieces = pieces.length / PIECE;
    if (this.trailPieces) this.trail = painter.buffer(pieces, this.trail);
    this.dirty = true;
  }

  /** The table that the values give colors from; "" where the population says the color. @returns {"" | "number" | "ramp" | "wheel"} */
  get coloring() {
    if (this.colorBy === "population" || this.colorBy === "density") return "";
    if (this.colorBy === "heading") return "wheel";
    return this.byWord ? "number" : "ramp";
  }

  /**
   * A color of a table on the paper that there is.
   * @param {keyof typeof TABLES} name
   * @param {number} value
   */
  shade(name, value) {
    return colorIn(
      name,
      value,
      TABLES[name].map((color) => this.painter.shown(color)),
    );
  }

  /** The color that each vehicle has now, and its trail with it: by population and id, on the paper that there is. */
  shades() {
    const { coloring, painter } = this;
    const own = new Map(
      (this.scene?.populations ?? []).map(({ name, color }) => [name, painter.shown(Array.from(color))]),
    );
    const table = coloring && TABLES[coloring].map((color) => painter.shown(color));
    return (/** @type {string} */ name, /** @type {number} */ id) => {
      const [now, values] = [this.after?.populations[name], this.valued.get(name)];
      const row = table && now && values ? rowsOf(now.id).get(id) : undefined;
      if (row === undefined || !coloring || !table) return own.get(name) ?? [0, 0, 0];
      return colorIn(coloring, values?.[row] ?? 0, table);
    };
  }

  /** How dense trails are: those of others are faint where one vehicle is explained, and more so on dark paper. */
  strengths() {
    const { layers, painter, selected } = this;
    this.dense = selected;
    const faint = selected && layers.why ? FAINT.trails * (painter.dark ? 0.8 : 1) : 1;
    return (/** @type {string} */ name, /** @type {number} */ id) =>
      isSame({ population: name, id }, selected) ? 1 : this.cast.get(name)?.has(id) ? 2 * faint : faint;
  }

  /** Whether one vehicle is explained, before which others step back; colors that mean something stay what they are. */
  get explains() {
    const { colorBy, extra, layers, selected, showsAll } = this;
    return Boolean(selected && layers.why && !showsAll && colorBy === "population" && extra.get("why")?.make);
  }

  /** Find those that take part in the explanation anew, where it or the frame is another one. */
  recast() {
    const { after, telling } = this;
    if (this.recastOf[0] === after && this.recastOf[1] === telling) return;
    this.recastOf = [after, telling];
    this.cast = castOf(this);
    const { before, scene, selected } = this;
    this.peers = castOf({ after, before, noted: [], scene, selected, telling });
  }

  /**
   * What colors are made of, one a vehicle: in 0..1, or the number of a word; null where the population says the color.
   * @param {string} name
   * @param {Bodies} was
   * @param {Bodies} now
   * @param {number} dt
   * @param {number} most
   */
  values(name, was, now, dt, most) {
    if (!["population", "speed", "heading", "density"].includes(this.colorBy)) {
      const numbers = this.numbers[name];
      return numbers ? Float32Array.from(now.id, (id) => numbers.get(id) ?? 0) : null;
    }
    const d = now.n ? now.position.length / now.n : 2;
    const period = this.scene?.period ?? [];
    if (this.colorBy === "heading") {
      return Float32Array.from(
        { length: now.n },
        (_, k) => Math.atan2(now.forward[d * k + 1], now.forward[d * k]) / (2 * Math.PI),
      );
    }
    if (this.colorBy !== "speed") return null;
    const { velocity, position } = now;
    return Float32Array.from({ length: now.n }, (_, k) => {
      let far = 0;
      for (let c = d * k; c < d * (k + 1); c++) {
        const [way, long] = [position[c] - was.position[c], period[c % d]];
        far += (velocity ? velocity[c] : (long ? way - long * Math.round(way / long) : way) / (dt || 1)) ** 2;
      }
      return Math.sqrt(far) / most;
    });
  }

  /**
   * @param {Bodies} bodies
   * @param {GpuBodies | undefined} older
   * @param {Float32Array | null} value
   * @returns {GpuBodies}
   */
  gpu(bodies, older, value) {
    const painter = this.painter;
    const now = {
      n: bodies.n,
      d: bodies.n ? bodies.position.length / bodies.n : 2,
      position: painter.buffer(bodies.position, older?.position),
      forward: painter.buffer(bodies.forward, older?.forward),
      up: bodies.up ? painter.buffer(bodies.up, older?.up) : null,
      size: painter.buffer(this.sizes(bodies), older?.size),
      width: bodies.width ? painter.buffer(bodies.width, older?.width) : null,
      axis: bodies.axis ? painter.buffer(bodies.axis, older?.axis) : null,
      value: value ? painter.buffer(value, older?.value) : null,
    };
    if (older) this.release(older, now);
    return now;
  }

  /** How long vehicles are drawn: no longer than their bodies, where that is wanted. @param {Bodies} bodies */
  sizes({ size, width }) {
    return width && this.layers.scale ? size.map((each, k) => Math.min(each, WITHIN * width[k])) : size;
  }

  /**
   * Give back what the graphics card has of bodies, or of those of its columns that are not used any more.
   * @param {GpuBodies} bodies
   * @param {GpuBodies} [reused]
   */
  release(bodies, reused) {
    for (const name of /** @type {const} */ (["position", "forward", "up", "size", "width", "axis", "value"]))
      if (bodies[name] && !reused?.[name]) this.painter.gl.deleteBuffer(bodies[name]);
  }

  /**
   * The place of a vehicle now; null if it is not there.
   * @param {VehicleKey} vehicle
   * @returns {number[] | null}
   */
  placeOf(vehicle) {
    const now = this.after?.populations[vehicle.population];
    if (!now || !this.scene) return null;
    const row = now.id.indexOf(vehicle.id);
    if (row < 0) return null;
    const was = this.before?.populations[vehicle.population];
    return between(was ? aligned(was, now) : now, now, row, this.part, this.scene.period);
  }

  /**
   * The way from one place to another, the shortest one across a seam.
   * @param {number[]} from
   * @param {number[]} to
   */
  way(from, to) {
    const period = this.scene?.period ?? [];
    return to.map((each, c) => {
      const way = each - from[c];
      return period[c] ? way - period[c] * Math.round(way / period[c]) : way;
    });
  }

  /**
   * Where some of a population are now, d numbers each; NaN for those who are not there.
   * @param {string} population
   * @param {Uint32Array} ids
   */
  placesOf(population, ids) {
    const d = this.scene?.dimensions ?? 2;
    const places = new Float32Array(d * ids.length).fill(NaN);
    const now = this.after?.populations[population];
    if (!now || !this.scene) return places;
    const was = this.before?.populations[population];
    const before = was ? aligned(was, now) : now;
    const rows = rowsOf(now.id);
    ids.forEach((id, k) => {
      const row = rows.get(id);
      if (row !== undefined) places.set(between(before, now, row, this.part, this.scene?.period ?? []), d * k);
    });
    return places;
  }

  /**
   * The vehicle at a pixel; null for none.
   * @param {number} x
   * @param {number} y
   * @returns {VehicleKey | null}
   */
  vehicleAt(x, y) {
    const { after, camera, scene } = this;
    if (!after || !camera || !scene) return null;
    /** @type {VehicleKey | null} */
    let nearest = null;
    let best = Infinity;
    const at = screen(camera);
    const meter = camera.meter(camera.middle);
    for (const [population, bodies] of Object.entries(after.populations)) {
      const d = scene.dimensions;
      for (let k = 0; k < bodies.n; k++) {
        const place = at(bodies.position.subarray(d * k, d * k + d));
        if (!place) continue;
        const far = Math.hypot(place[0] - x, place[1] - y) - Math.min(0.5 * bodies.size[k] * meter, 30);
        if (far < 12 && far < best) [nearest, best] = [{ population, id: bodies.id[k] }, far];
      }
    }
    return nearest;
  }

  /** Paint no more, and give the graphics card back: browsers have few. */
  end() {
    this.ended = true;
    this.painter.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  /** @param {number} now */
  refresh(now) {
    if (this.ended) return;
    requestAnimationFrame((then) => this.refresh(then));
    this.glide();
    if (this.smooth && this.before !== this.after) {
      const part = Math.min((now - this.arrived) / Math.max(this.interval, 1), 1);
      this.part = Math.max(part, 0);
      this.dirty = true;
      if (part >= 1) {
        this.before = this.after;
        this.part = 1;
        this.upload();
      }
    } else if (this.smooth) {
      this.part = 1;
    }
    if (this.dirty) this.paint();
  }

  paint() {
    const { painter, scene, camera, selected } = this;
    if (!scene || !camera || !this.canvas.clientWidth || painter.gl.isContextLost()) return;
    this.dirty = false;
    this.painted += 1;
    this.recast();
    if (!isSame(selected, this.dense)) this.upload();
    const place = selected ? this.placeOf(selected) : null;
    const opens = Boolean(scene.close_up !== null && this.approached !== scene && this.extra.get("why")?.make);
    if (place && opens && camera.width > 1) {
      this.approached = scene;
      this.framing.begin();
      this.framing.open(place);
    } else if (place && this.following && !this.held) this.framing.follow(place);
    painter.meshed = this.layers.grid;
    painter.strength = this.explains ? FAINT.grid : 1;
    painter.begin(camera, scene);
    if (place && this.reveal) this.bring(place);
    if (scene.dimensions === 2 && scene.limited && this.layers.grid) this.once([frameOf(scene)]);
    this.paintWorld(scene);
    const lens = this.lens?.seek(scene, place) ?? null;
    for (const [name, each] of this.extra) if (name !== "notes" && name !== "why") this.add(each);
    const why = this.extra.get("why");
    const made = (lens === null && why?.make?.()) || [];
    if (why) [why.made, why.moving] = [made, made.filter((each) => each.kind === "texts")];
    this.explain(why?.prepared ?? [], made, place);
    this.lens?.paint(scene, lens);
    this.onPaint?.();
    this.filmed?.();
    this.seen?.();
  }

  /** Whether something is to be seen: beside an explanation, of helper lines and crosses those alone that its sentence names. @param {{means?: string, says?: string}} it */
  tells(it) {
    return !this.explains || it.means !== GUIDE || this.said(it);
  }

  /** Whether its kind of construction is switched on. @param {{means?: string}} it */
  wants({ means = "" }) {
    const kind = KINDS[means];
    return !kind || this.layers[kind];
  }

  /** Whether the sentence names it. @param {{says?: string}} it */
  said({ says }) {
    return Boolean(says && byId("reason").textContent?.includes(says));
  }

  /** How many vehicles there are. */
  get count() {
    return Object.values(this.after?.populations ?? {}).reduce((sum, { n }) => sum + n, 0);
  }

  /** The notes that are seen. */
  get notes() {
    return (this.layers.scenery && this.extra.get("notes")?.prepared.filter((each) => this.tells(each))) || [];
  }

  /** Their elements. */
  get noted() {
    return (this.layers.scenery && this.extra.get("notes")?.elements.filter((each) => this.tells(each))) || [];
  }

  /**
   * The explanation: areas, a glow, the vehicles that take part, lines, predicted outlines, arrows, marks, and the explained vehicle.
   * @param {Prepared[]} prepared what stays as it is
   * @param {Element[]} made what follows the vehicle
   * @param {number[] | null} place of the explained vehicle
   */
  explain(prepared, made, place) {
    const { painter, scene, selected } = this;
    const d = scene?.dimensions ?? 2;
    const moving = made.filter((each) => each.kind !== "texts").map((each) => painter.prepare(each, d));
    const all = [...prepared, ...moving];
    const draw = (/** @type {Prepared[]} */ some) => some.forEach((each) => each.draw(painter));
    const ring = (/** @type {Prepared} */ { means, corners }) => means === PREDICTED && corners > ROUND;
    const outline = (/** @type {Prepared} */ { means, corners }) =>
      means === PREDICTED && corners > 2 && corners <= ROUND;
    painter.depth(false);
    draw(all.filter(({ kind }) => kind === "areas"));
    if (place && selected) this.glow(selected, place);
    if (place && this.explains) this.paintCast(place);
    draw(all.filter((each) => !["areas", "arrows", "marks"].includes(each.kind) && !ring(each) && !outline(each)));
    draw(all.filter(ring));
    painter.halo = HALO;
    draw(all.filter(outline));
    draw(all.filter(({ kind }) => kind === "arrows"));
    draw(all.filter(({ kind }) => kind === "marks"));
    if (place && selected) this.single(selected, place);
    draw(this.notes.filter(isSingle));
    painter.halo = 0;
    moving.forEach((each) => each.free());
  }

  /** Edges of obstacles in the plane, and these with those of regions. */
  get edges() {
    this.outlines ??= [[BODY], [BODY, PLACE]].map((layers) => edgesOf(this.elements, layers));
    return this.outlines;
  }

  /** What stands there, notes, trails and vehicles. @param {Scene} scene */
  paintWorld(scene) {
    const { painter } = this;
    const lid = this.lid();
    for (const [side, opacity] of lid < Infinity
      ? [
          [-1, 1],
          [1, LOFT],
        ]
      : [[0, 1]]) {
      // prettier-ignore
      painter.storey(side && lid, side, opacity);
      this.paintStorey(scene);
    }
    painter.storey(0, 0, 1);
  }

  /** The height of the lowest floor that covers the explained vehicle in space [m]; infinite for none. */
  lid() {
    const { explains, selected, scene } = this;
    const place = explains && selected && scene?.dimensions === 3 && this.placeOf(selected);
    if (!place) return Infinity;
    this.floors ??= this.elements.filter(({ kind }) => kind === "areas").flatMap((each) => linesOf(each, 3));
    const turn = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
      (b[0] - a[0]) * (place[1] - a[1]) >= (b[1] - a[1]) * (place[0] - a[0]);
    const covers = (/** @type {number[][]} */ ring) =>
      ring[0][2] > place[2] + OVERHEAD && new Set(ring.map((at, k) => turn(at, ring[(k + 1) % ring.length]))).size < 2;
    return Math.min(...this.floors.filter(covers).map(([[, , z]]) => z - 1e-3));
  }

  /** What of them is to be seen now. @param {Scene} scene */
  paintStorey(scene) {
    const { explains, painter } = this;
    painter.depth(true);
    for (const each of this.scenery) {
      painter.strength = explains ? faintness(each) : 1;
      if (this.shown(each, scene)) each.draw(painter);
    }
    painter.depth(false);
    for (const each of this.notes)
      if (!isSingle(each)) {
        painter.strength = explains && !this.said(each) ? FAINT.notes : 1;
        each.draw(painter);
      }
    painter.strength = 1;
    painter.depth(true);
    const bodies = () => this.layers.vehicles && this.paintBodies(scene);
    const trails = () => this.stretch > 1 || this.paintTrails();
    for (const each of scene.dimensions === 2 ? [trails, bodies] : [bodies, trails]) each();
    painter.depth(false);
  }

  /**
   * Whether a piece of the scenery is to be seen: arrows are flows, what lies lowest in space is its grid.
   * @param {Piece} piece
   * @param {Scene} scene
   */
  shown(piece, scene) {
    const { kind, layer } = piece;
    if (kind === "arrows") return this.layers.flow;
    if (!this.tells(piece)) return false;
    if (scene.dimensions === 3 && kind === "lines" && layer === 1) return this.layers.grid;
    return this.layers.scenery;
  }

  /**
   * Additions to the picture.
   * @param {Addition} addition
   */
  add(addition) {
    const painter = this.painter;
    painter.depth(false);
    for (const each of addition.prepared) if (this.tells(each)) each.draw(painter);
    const made = addition.make?.() ?? [];
    addition.made = made;
    addition.moving = made.filter((each) => each.kind === "texts");
    this.once(made.filter((each) => each.kind !== "texts"));
  }

  /** Paint elements that are there for this picture only. @param {Element[]} elements */
  once(elements) {
    for (const element of elements) {
      const made = this.painter.prepare(element, this.scene?.dimensions ?? 2);
      made.draw(this.painter);
      made.free();
    }
  }

  /** Where vehicles have been; trails hide nothing. */
  paintTrails() {
    if (!this.layers.trails || !this.trail || !this.trailPieces || this.colorBy === "density") return;
    this.painter.gl.depthMask(false);
    this.painter.lines(this.trail, this.trailPieces);
    this.painter.gl.depthMask(true);
  }

  /** How far the ring around a vehicle is from it, where arrows of forces begin [pixels of CSS]. @param {VehicleKey} vehicle */
  rim(vehicle) {
    const now = this.after?.populations[vehicle.population];
    const place = this.placeOf(vehicle);
    if (!now || !place || !this.camera) return RING;
    return Math.max(RING, AROUND * this.sizes(now)[now.id.indexOf(vehicle.id)] * this.camera.meter(place));
  }

  /**
   * The explained vehicle over what explains it.
   * @param {VehicleKey} vehicle
   * @param {number[]} place
   */
  single(vehicle, place) {
    const { after, scene } = this;
    const now = after?.populations[vehicle.population];
    if (!now || !scene || !this.layers.vehicles || this.colorBy === "density") return;
    const [d, row] = [place.length, now.id.indexOf(vehicle.id)];
    const of = (/** @type {Float32Array} */ column, each = d) => column.slice(each * row, each * (row + 1));
    const { up, value } = { up: now.up, value: this.valued.get(vehicle.population) ?? null };
    const one = {
      n: 1,
      id: Uint32Array.of(vehicle.id),
      position: Float32Array.from(place),
      forward: of(now.forward),
      size: of(now.size, 1),
    };
    const width = now.width && { width: of(now.width, 1), ...(now.axis && { axis: of(now.axis, 1) }) };
    const body = this.gpu({ ...one, ...width, ...(up ? { up: of(up) } : {}) }, undefined, value && of(value, 1));
    this.onTop({ [vehicle.population]: { before: body, after: body } }, RIM / this.meterAt(place));
    this.release(body);
  }

  /** How many pixels of CSS a meter is at a place. @param {number[]} place */
  meterAt(place) {
    return /** @type {import("./camera.js").Camera} */ (this.camera).meter(place);
  }

  /**
   * The vehicles that take part in the explanation, in full color over the others; those who are like the explained one, and
   * count, in the color of what counts.
   * @param {number[]} place of the explained one
   */
  paintCast(place) {
    const { after, before, layers, selected } = this;
    if (!layers.vehicles) return;
    for (const like of [false, true]) {
      /** @type {Stage["bodies"]} */
      const some = {};
      for (const [name, ids] of this.cast) {
        const now = after?.populations[name];
        const was = now && before?.populations[name] ? aligned(before.populations[name], now) : now;
        const alike = name === selected?.population && this.peers.get(name);
        const isOne = (/** @type {number} */ id) => ids.has(id) && Boolean(alike && alike.has(id)) === like;
        const rows = now && was ? Array.from(rowsOf(now.id)).flatMap(([id, row]) => (isOne(id) ? [row] : [])) : [];
        if (!now || !was || !rows.length) continue;
        some[name] = {
          before: this.gpu(rowsIn(was, rows), undefined, null),
          after: this.gpu(rowsIn(now, rows), undefined, null),
        };
      }
      this.onTop(some, (0.5 * RIM) / this.meterAt(place), like ? tone("chosen") : null);
      for (const each of Object.values(some)) [each.before, each.after].forEach((it) => this.release(it));
    }
  }

  /**
   * Vehicles over all that is there, on a shape of ground that is longer.
   * @param {Stage["bodies"]} some
   * @param {number} longer [m]
   * @param {number[] | null} [worn] their color; null for that of their population
   */
  onTop(some, longer, worn = null) {
    const { painter, scene } = this;
    painter.gl.clear(painter.gl.DEPTH_BUFFER_BIT);
    painter.depth(true);
    this.paintBodies(/** @type {Scene} */ (scene), some, longer, worn);
    painter.depth(false);
  }

  /**
   * @param {Scene} scene
   * @param {Record<string, {before: GpuBodies, after: GpuBodies}>} [some] those of these alone
   * @param {number} [longer] by how much the shape of ground beneath them is longer [m]
   * @param {number[] | null} [worn] their color; null for that of their population
   */
  paintBodies(scene, some = undefined, longer = 0, worn = null) {
    const painter = this.painter;
    if (this.colorBy === "density" && scene.dimensions === 2) return this.once(density(this));
    const veiled = VEIL[painter.dark ? "dark" : "light"] * (scene.dimensions === 3 ? VEIL.solid : 1);
    const [part, period] = [this.part, scene.dimensions === 2 ? [...scene.period, 0] : scene.period];
    for (const { name, color, shape, high, stands } of scene.populations) {
      const bodies = (some ?? this.bodies)[name];
      if (!bodies || !bodies.after.n) continue;
      const look = { shape, color: painter.shown(worn ?? color), colored: this.coloring };
      const bright = some && scene.dimensions === 3 && !this.coloring ? BRIGHT : 0;
      const over = bright
        ? look.color
        : scene.dimensions === 2
          ? painter.shown(scene.elements.find(({ layer }) => layer < LAND)?.face ?? tone("sheet"))
          : painter.haze.slice(0, 3);
      const veil = [...over, -bright || (!some && this.explains ? veiled : 0)];
      const about = { period, veil, opacity: !some && this.stretch > 1 ? PALE : 1 };
      if (bodies.after.width && shape !== "ball") {
        const [was, now] = [bodies.before, bodies.after].map((each) => ({
          ...each,
          size: /** @type {WebGLBuffer} */ (bodies.after.width),
          value: null,
        }));
        const rim = [0, (-1.5 * (painter.ratio ?? 1)) / painter.meter, 0, 0];
        const ball = { shape: "ball", colored: /** @type {const} */ ("") };
        const faint = shape === "person" ? PERSON : 1; // Whose shoulders are as wide.
        painter.bodies(was, now, { ...ball, color: this.pale(look.color, 0.65 * faint) }, part, about);
        painter.bodies(was, now, { ...ball, color: this.pale(look.color, 0.3 * faint) }, part, { ...about, rim });
      }
      const few = scene.dimensions === 2 && bodies.after.n <= MANY;
      if (few && bodies.after.n <= SHADOW.most && !some && about.opacity === 1)
        this.paintShadows(bodies, look, about, high);
      if (some || few) {
        painter.gl.depthMask(false);
        painter.bodies(bodies.before, bodies.after, look, part, {
          ...about,
          rim: [0, longer || (1.6 * (painter.ratio ?? 1)) / painter.meter, 1, 0],
        });
        painter.gl.depthMask(true);
      } else if (scene.dimensions === 3 && (scene.ground !== null || stands)) {
        painter.shadow(bodies.before, bodies.after, look, part, {
          ...about,
          rim: [0, 0, 2, stands ? 2 : 1],
          ground: scene.ground ?? 0,
          opacity: painter.dark ? 0.4 : 0.24,
        });
      }
      if (few) {
        const dark = 1 - (1 - EDGE.dark) * (1 - veil[3]); // Darker, and the veil over that.
        const edge = [...over.map((each) => (each * veil[3]) / dark), dark];
        painter.bodies(bodies.before, bodies.after, look, part, { ...about, veil: edge });
      }
      const inner = few ? { ...about, rim: [-EDGE.wide, 0, 0, 0] } : about;
      painter.bodies(bodies.before, bodies.after, look, part, inner);
    }
  }

  /** Come so near, calmly, that so much is seen, or everything. @param {number | null} size [m] across the smaller side */
  approach(size) {
    const camera = this.camera;
    if (!camera || !("scale" in camera)) return;
    const [least, near] = [camera.whole, size ? Math.min(camera.width, camera.height) / size : 0];
    this.goal = size ? Math.min(Math.max(near, least), CLOSEST * least) : null;
    this.dirty = true;
  }

  /** A part of the way to what is to be seen. */
  glide() {
    const { camera, goal } = this;
    if (!goal || !camera || !("scale" in camera)) return;
    const far = Math.log(goal / camera.scale);
    const there = Math.abs(far) < 0.01 || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    camera.scale = there ? goal : camera.scale * Math.exp(GLIDE * far);
    camera.touched = this.dirty = true;
    if (there) this.goal = null;
  }

  /** Bring a place into the picture, if it is out of it. @param {number[]} place */
  bring(place) {
    this.reveal = false;
    const at = this.camera && screen(this.camera)(place);
    const { clientWidth: wide, clientHeight: high } = this.canvas;
    if (at && at[0] > 0 && at[0] < wide && at[1] > 0 && at[1] < high) return;
    this.camera?.follow(place);
    this.dirty = true;
  }

  /**
   * A glow beneath the explained vehicle, in its color, which clears the ground around it.
   * @param {VehicleKey} vehicle
   * @param {number[]} place
   */
  glow(vehicle, place) {
    const own = this.scene?.populations.find(({ name }) => name === vehicle.population);
    if (!own || !this.layers.vehicles || this.colorBy === "density") return;
    const color = Float32Array.from(own.color);
    const now = this.after?.populations[vehicle.population];
    const body = (now?.width?.[now.id.indexOf(vehicle.id)] ?? 0) * (this.camera?.meter(place) ?? 0); // Its diameter.
    const size = Float32Array.of((2 * GLOW * Math.max(this.rim(vehicle), 0.6 * body)) / POINT);
    this.once([{ kind: "marks", layer: 9, shape: "glow", position: Float32Array.from(place), size, color }]);
  }

  /**
   * Soft shadows beneath vehicles in the plane.
   * @param {{before: GpuBodies, after: GpuBodies}} bodies
   * @param {{shape: string, color: number[], colored: "" | keyof typeof TABLES}} look
   * @param {object} about
   * @param {number} high how high they stand or fly, as a part of their size
   */
  paintShadows({ before, after }, look, about, high) {
    const { painter, part } = this;
    const opacity = SHADOW[painter.dark ? "dark" : "light"] * (this.explains ? 0.75 : 1);
    const [was, now] = [before, after].map((each) => ({ ...each, size: after.width ?? each.size }));
    const shape = after.width ? "ball" : look.shape;
    for (const far of SHADOW.layers.slice(after.n > SHADOW.many ? 1 : 0))
      painter.shadow(was, now, { ...look, shape }, part, {
        ...about,
        rim: [SHADOW.soft * far, 0, 2, -high * far],
        opacity,
      });
  }

  /**
   * A color of the body beneath a vehicle.
   * @param {number[]} color of the vehicle
   * @param {number} much how much it has of that
   */
  pale(color, much) {
    const paper = this.painter.shown(tone("sheet"));
    return color.map((part, c) => much * part + (1 - much) * paper[c]);
  }

  /** Values that give colors, of the vehicles that were brought to the graphics card last. @type {Map<string, Float32Array>} */
  valued = new Map();
  /** The corners of what stands there, and of the picture as it was at first. */
  /** @type {number[][]} */
  standing = [[], []];
  /** @type {number[][]} */
  first = [
    [0, 0],
    [0, 0],
  ];
  /** Of which frame and elements the vehicles are that take part. @type {unknown[]} */
  recastOf = [];
  /** The vehicle whose trail is denser than others. @type {VehicleKey | null} */
  dense = null;
  /** How many pixels a meter is to have soon. @type {number | null} */
  goal = null;
  /** Whether something is being dragged: the camera stands still then. */
  held = false;
  /** Whether the chosen vehicle is to be brought into the picture, once. */
  reveal = false;
  /** How much longer arrows of forces are than usual: in the lens. */
  stretch = 1;
  /** The picture beside this one. @type {(() => Stage | undefined) | undefined} */
  twin = undefined;
  /** What magnifies the explained vehicle. @type {import("./lens.js").Lens | undefined} */
  lens = undefined;
  /** Called after each picture, for the words over it. @type {(() => void) | undefined} */
  onPaint = undefined;
  /** Called then, with another view perhaps. @type {(() => void) | undefined} */
  seen = undefined;
  /** Called then, while it is filmed. @type {(() => void) | undefined} */
  filmed = undefined;
}

/**
 * The corners of all vehicles, and of what stands there.
 * @param {Frame} frame
 * @param {number[][]} standing corners
 */
function extentOf(frame, standing) {
  const [low, high] = standing.map((corner) => [...corner]);
  for (const { n, position } of Object.values(frame.populations)) {
    for (let k = 0; k < 2 * n; k++) {
      low[k % 2] = Math.min(low[k % 2], position[k]);
      high[k % 2] = Math.max(high[k % 2], position[k]);
    }
  }
  return [low, high];
}

/**
 * The corners of elements in the plane, within others.
 * @param {Element[]} elements
 * @param {number[][]} within
 */
function cornersOf(elements, within) {
  const [low, high] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ];
  for (const { layer, points = [], position = [] } of elements)
    for (const each of layer > LAND ? [points, position] : [])
      each.forEach((at, k) => {
        const near = Math.min(Math.max(at, within[0][k % 2]), within[1][k % 2]);
        low[k % 2] = Math.min(low[k % 2], near);
        high[k % 2] = Math.max(high[k % 2], near);
      });
  return [low, high];
}

/** How dense a piece of the scenery is beside an explanation. @param {Piece} piece */
export const faintness = ({ kind, layer, slight }) =>
  kind === "arrows" || kind === "marks"
    ? FAINT[kind]
    : (slight && kind !== "areas") || (kind === "lines" && layer === 1)
      ? FAINT.slight
      : 1;

/**
 * An element of the plane as it stands upon the ground: walls have a soft shadow.
 * @param {Element} element
 * @returns {Element[]}
 */
export function solid(element) {
  const { width = Float32Array.of(1), color } = element;
  if (!isWall(element) || !color) return [element];
  const shadow = WALL.map(({ far, wider, opacity }) => ({
    ...element,
    cast: AWAY.map((each) => far * each),
    width: width.map((each) => each + wider),
    color: Float32Array.of(...SHADE, opacity),
    shown: true,
  }));
  return [...shadow, element];
}

/** Whether these are few marks. @param {Prepared} prepared */
const isSingle = ({ marks }) => marks > 0 && marks <= SINGLE;

/**
 * Some rows of bodies.
 * @param {Bodies} bodies
 * @param {number[]} rows
 * @returns {Bodies}
 */
function rowsIn({ n, id, position, forward, up, size, width, axis }, rows) {
  const of = (/** @type {Float32Array} */ column) => {
    const each = column.length / n;
    return Float32Array.from(
      { length: each * rows.length },
      (_, k) => column[each * rows[Math.floor(k / each)] + (k % each)],
    );
  };
  return {
    n: rows.length,
    id: Uint32Array.from(rows, (row) => id[row]),
    position: of(position),
    forward: of(forward),
    size: of(size),
    ...(up && { up: of(up) }),
    ...(width && { width: of(width) }),
    ...(axis && { axis: of(axis) }),
  };
}

/** Rows by id, of ids that were looked through. @type {WeakMap<Uint32Array, Map<number, number>>} */
const KNOWN = new WeakMap();

/** @param {Uint32Array} ids */
function rowsOf(ids) {
  let rows = KNOWN.get(ids);
  if (!rows) KNOWN.set(ids, (rows = new Map(Array.from(ids, (id, k) => [id, k]))));
  return rows;
}

/** The frame of what there is. @param {Scene} scene @returns {Element} */
export function frameOf({ low: [left, bottom], high: [right, top] }) {
  const points = Float32Array.of(left, bottom, right, bottom, right, top, left, top, left, bottom);
  const look = { color: Float32Array.of(...tone("frame"), 1), width: Float32Array.of(0.75) };
  return { kind: "lines", layer: 0, points, counts: [5], ...look };
}
