// Whole populations: forces and velocities of all vehicles as arrows, and their sketches, from Python.

import { hint, meaning } from "./controls.js";
import { plus } from "./linear.js";
import { outlines, parted } from "./outlines.js";
import { cssOf, tone } from "./palette.js";
import { TONES } from "./theme.js";
import { within } from "./vectors.js";

/** @typedef {import("./types.js").Element} Element */

/**
 * The forces of a population: d numbers a vehicle.
 * @typedef {object} Columns
 * @property {string[]} labels of the behaviors
 * @property {Uint32Array} ids
 * @property {Float32Array[]} raw what each of them wants
 * @property {Float32Array[]} contribution what is kept of that
 * @property {Float32Array} force
 * @property {Float32Array} winner the number of the behavior that decides, -1 for none
 */

/** @typedef {{scale: number, full: number, note: string, problem?: string, populations: Record<string, Columns>}} Forces */
/** @typedef {{near: Element[], elements: Element[], legend: [string, string][], note: string, problem?: string}} Sketches */

/** Vehicles whose velocities are drawn, at most. */
const MOST = 4000;

/** Length of the arrow of the fastest, as a part of the width of the picture. */
const FASTEST = 0.035;

/** Widths of arrows: what is wanted, what is kept, what the winner keeps, the whole force; as parts of what is seen. */
const WIDTHS = { raw: 0.0008, kept: 0.0014, winner: 0.002, whole: 0.0032, velocity: 0.0012 };

/** A vector among numbers. @param {ArrayLike<number>} numbers @param {number} at where it begins @param {number} d @returns {number[]} */
const vectorAt = (numbers, at, d) => Array.prototype.slice.call(numbers, at, at + d);

/** Arrows that are gathered, with a color and a width each. */
export class Arrows {
  /**
   * @param {number} d
   * @param {boolean} [fixed] whether widths are in points: equally thick at any distance
   * @param {import("./camera.js").Camera | null} [camera] of the picture in which they end, where their vehicles are in it
   */
  constructor(d, fixed = false, camera = null) {
    this.d = d;
    this.fixed = fixed;
    this.camera = camera;
    /** @type {Record<"tails" | "tips" | "color" | "width", number[]>} */
    this.numbers = { tails: [], tips: [], color: [], width: [] };
  }

  /**
   * An arrow, unless it is too short to be seen.
   * @param {ArrayLike<number>} places
   * @param {number} tail where its place begins there
   * @param {ArrayLike<number>} vectors
   * @param {number} at where its vector begins there
   * @param {number} scale meters a unit
   * @param {number} least the shortest that is seen [m]
   * @param {number[]} color with opacity
   * @param {number} width [m], or in points
   */
  add(places, tail, vectors, at, scale, least, color, width) {
    const { d, numbers } = this;
    const [from, way] = [vectorAt(places, tail, d), vectorAt(vectors, at, d)];
    const long = Math.min(scale, within(this.camera, from, way));
    if (!(Math.hypot(...way) * long > least) || Number.isNaN(from[0])) return;
    numbers.tails.push(...from);
    numbers.tips.push(...plus(from, way, long));
    numbers.color.push(...color);
    numbers.width.push(width);
  }

  /** All of them. @returns {Element[]} */
  elements() {
    const { tails, tips, color, width } = this.numbers;
    if (!width.length) return [];
    const [a, b, c, w] = [tails, tips, color, width].map((each) => new Float32Array(each));
    return [{ kind: "arrows", layer: 9, tails: a, tips: b, color: c, width: w, fixed: this.fixed }];
  }
}

export class Populations {
  /**
   * @param {import("./stage.js").Stage} stage
   * @param {HTMLElement} legend where it is said what colors mean, and of how many is told
   */
  constructor(stage, legend) {
    this.stage = stage;
    this.legend = legend;
    this.clear();
  }

  /** Nothing is known of this world yet. */
  clear() {
    /** @type {Forces | null} */
    this.forces = null;
    /** @type {Sketches | null} */
    this.sketches = null;
    this.refresh();
  }

  /** @param {Forces} forces */
  heardForces(forces) {
    this.forces = forces;
    this.refresh();
  }

  /** @param {Sketches} sketches */
  heardSketches(sketches) {
    this.sketches = sketches;
    this.refresh();
  }

  /** Show what is switched on. */
  refresh() {
    const { stage, sketches } = this;
    const { near, sketch, why } = stage.layers;
    const all = stage.showsAll;
    const shapes = all && sketches && !sketches.problem ? sketches : null;
    const wanted = (shapes?.elements ?? []).filter((each) => stage.wants(each));
    const elements = [...(near ? (shapes?.near ?? []) : []), ...(sketch ? wanted : [])];
    const solid = stage.scene?.dimensions === 3;
    const { rest, spheres } = solid ? parted(elements) : { rest: elements, spheres: [] };
    stage.decorate("populations", rest, () => [
      ...(stage.camera && "eye" in stage.camera ? outlines(spheres, stage.camera.eye) : []),
      ...(stage.layers.velocity ? this.velocities() : []),
      ...(all && why ? this.arrows() : []),
    ]);
    this.explain(Boolean(all && why), Boolean(shapes && (near || sketch)));
  }

  /** Forces of behaviors: wanted ones thin, kept ones bold for the behavior that decides, and the whole force. */
  arrows() {
    const { stage, forces } = this;
    const d = stage.scene?.dimensions ?? 2;
    const arrows = new Arrows(d, false, stage.camera);
    const reach = stage.scene?.reach ?? 1;
    const color = [...tone("steering"), 0.85];
    for (const [name, population] of Object.entries(forces?.populations ?? {})) {
      const places = stage.placesOf(name, population.ids);
      population.ids.forEach((_, k) => {
        const arrow = (/** @type {Float32Array} */ vectors, /** @type {number} */ width) =>
          arrows.add(places, d * k, vectors, d * k, forces?.scale ?? 0, 1e-3 * reach, color, width * reach);
        arrow(population.force, WIDTHS.whole);
        population.raw.forEach((each) => arrow(each, WIDTHS.raw));
        population.contribution.forEach((each, leaf) =>
          arrow(each, population.winner[k] === leaf ? WIDTHS.winner : WIDTHS.kept),
        );
      });
    }
    return arrows.elements();
  }

  /** Velocities of all vehicles. */
  velocities() {
    const { stage } = this;
    const [d, reach] = [stage.scene?.dimensions ?? 2, stage.scene?.reach ?? 1];
    const arrows = new Arrows(d, false, stage.camera);
    const color = [...tone("velocity"), 0.8];
    const infos = stage.scene?.populations ?? [];
    const fastest = Math.max(...infos.map(({ max_speed }) => max_speed), 1e-9);
    for (const { name } of infos) {
      const bodies = stage.after?.populations[name];
      if (!bodies?.velocity) continue;
      const every = Math.max(1, Math.ceil(bodies.n / MOST));
      const ids = bodies.id.filter((_, k) => k % every === 0);
      const places = stage.placesOf(name, ids);
      const scale = (2 * FASTEST * reach) / fastest;
      ids.forEach((_, k) =>
        arrows.add(
          places,
          d * k,
          bodies.velocity ?? [],
          d * k * every,
          scale,
          1e-3 * reach,
          color,
          WIDTHS.velocity * reach,
        ),
      );
    }
    return arrows.elements();
  }

  /**
   * Say what colors mean, and of how many is told.
   * @param {boolean} arrows
   * @param {boolean} shapes
   */
  explain(arrows, shapes) {
    const { forces, sketches } = this;
    /** @type {HTMLElement[]} */
    const lines = [];
    const note = (/** @type {string} */ words) => words && lines.push(hint(words));
    if (arrows && forces) {
      note(forces.problem ?? forces.note);
      lines.push(meaning(cssOf(TONES.steering[0]), "steering; thin: what each behavior wants, and what is kept of it"));
    }
    if (shapes && sketches) {
      note(sketches.note && `What they look at: ${sketches.note}`);
      const legend = sketches.legend.filter(([, means]) => this.stage.wants({ means }));
      lines.push(...legend.map(([color, words]) => meaning(cssOf(color), words)));
    }
    if (this.stage.showsAll && sketches?.problem) note(sketches.problem);
    this.legend.replaceChildren(...lines);
  }
}
