// The lens: where the explained vehicle is small in a wide picture, a corner shows it and its arrows magnified.

import { byId, html } from "./controls.js";
import { cameraOf, onScreen } from "./camera.js";
import { css, tone } from "./palette.js";
import { drawn, freest, linesOf } from "./labels.js";
import { chosen, leader } from "./names.js";

/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./types.js").Scene} Scene */
/** A part of the picture, from its upper left corner [pixels of CSS]. @typedef {{x: number, y: number, width: number, height: number}} Rect */
/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {{rect: Rect, camera: Camera, zoom: number, place: number[]}} View */

const SMALL = 26; // A vehicle that is drawn shorter needs a lens [pixels of CSS].
const LARGE = 44; // It is so long in the lens [pixels of CSS],
const MOST = 8; // and at most so many times as long as in the picture.
const PART = 0.37; // The side of the lens, as a part of the smaller side of the picture,
const SIDES = [170, 250]; // and within these limits [pixels of CSS].
const LEAST = [640, 400]; // A smaller picture has none [pixels of CSS].
const MANY = 3000; // More vehicles are not painted twice.
const MARGINS = { side: 12, top: 22, bottom: 78 }; // To the border, with its numbers, and to the legend and the reason below.
const WORD = 5; // A word in a corner counts as so many vehicles,
const PLACE = 0.5; // a corner of the scenery as so many,
const FAR = 0.02; // and a pixel of CSS from the vehicle to a corner.
const STRAIGHT = 3; // Points up to which words keep off a line.
const STRETCH = 1.7; // Arrows of forces are so many times as long as in the picture;
const FITS = 0.4; // those of velocities end within this part of its side around the vehicle.
const THIN = 0.6; // Other lines of the explanation are so wide, and so dense, as parts of what they are in the picture.
const LOOKS = / looks /; // Names of ranges, which are larger than the lens.
const DRAWN = new Set(["present velocity", "desired velocity", "steering"]); // Meanings of velocities, of the line between them,
const VELOCITIES = new Set(["velocity", "desired velocity"]); // and its names.

export class Lens {
  /** @param {import("./stage.js").Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.box = byId("lens");
    this.box.addEventListener("click", () => this.approach());
    /** @type {View | null} */
    this.view = null;
    this.corner = -1;
    this.subject = "";
    /** Where the words stood last: the side and the row of each. @type {Map<string, string>} */
    this.stood = new Map();
    this.written = "";
  }

  /**
   * Where the lens is, and what it shows; null where none is needed.
   * @param {Scene} scene
   * @param {number[] | null} place of the explained vehicle
   * @returns {View | null}
   */
  seek(scene, place) {
    const { stage } = this;
    const { camera, selected } = stage;
    const bodies = selected && stage.after?.populations[selected.population];
    if (!place || !bodies || !camera || !stage.layers.lens || !stage.layers.why) return null;
    if (camera.width < LEAST[0] || camera.height < LEAST[1] || stage.showsAll || stage.goal) return null;
    const count = Object.values(stage.after?.populations ?? {}).reduce((sum, { n }) => sum + n, 0);
    const meter = camera.meter(place);
    const long = stage.sizes(bodies)[bodies.id.indexOf(selected.id)] * meter;
    if (count > MANY || !(long > 0) || long >= SMALL) return null;
    const zoom = Math.min(LARGE / long, MOST);
    const side = Math.min(Math.max(PART * Math.min(camera.width, camera.height), SIDES[0]), SIDES[1]);
    const at = onScreen(camera, place);
    const subject = `${scene.name} ${selected.population} ${selected.id} ${camera.width} ${camera.height}`;
    if (!at || !within({ x: 0, y: 0, width: camera.width, height: camera.height }, at)) return null;
    const [x, y] = at.map((each) => each - side / 2 / zoom);
    const region = { x, y, width: side / zoom, height: side / zoom };
    const corners = cornersOf(camera, side);
    if (subject !== this.subject || this.corner < 0 || overlap(corners[this.corner], region)) {
      this.subject = subject;
      this.corner = this.emptiest(corners, region);
    }
    const near = cameraOf(scene);
    if ("azimuth" in near && "azimuth" in camera) [near.azimuth, near.elevation] = [camera.azimuth, camera.elevation];
    near.resize(side, side);
    near.near(side / zoom / meter);
    near.follow(place);
    return { rect: corners[this.corner], camera: near, zoom, place };
  }

  /**
   * The corner that covers least of vehicles, of words and of what explains, and is near; not that of the explained vehicle.
   * @param {Rect[]} corners
   * @param {Rect} region that is magnified
   */
  emptiest(corners, region) {
    const { after, camera, elements, extra, scene, texts } = this.stage;
    const d = scene?.dimensions ?? 2;
    const far = (/** @type {Rect} */ { x, y, width }) =>
      Math.hypot(x + width / 2 - region.x - region.width / 2, y + width / 2 - region.y - region.width / 2);
    const costs = corners.map((rect) => (overlap(rect, region) ? 1e6 : FAR * far(rect)));
    const count = (/** @type {ArrayLike<number>} */ places, /** @type {number} */ each) => {
      for (let k = 0; k < places.length; k += d) {
        const at = onScreen(/** @type {Camera} */ (camera), Array.prototype.slice.call(places, k, k + d));
        corners.forEach((rect, c) => (costs[c] += at && within(rect, at) ? each : 0));
      }
    };
    for (const { position } of Object.values(after?.populations ?? {})) count(position, 1);
    for (const { kind, points = [] } of elements) if (kind === "lines" || kind === "areas") count(points, PLACE);
    for (const { position = [], tips = [] } of [...texts, ...(extra.get("why")?.elements ?? [])])
      [position, tips].forEach((places) => count(places, WORD));
    return costs.indexOf(Math.min(...costs));
  }

  /**
   * Paint it over the picture.
   * @param {Scene} scene
   * @param {View | null} view null hides it
   */
  paint(scene, view) {
    this.view = view;
    this.box.hidden = !view;
    if (!view) {
      this.written = "";
      return;
    }
    const { stage } = this;
    const { rect, camera } = view;
    const main = /** @type {Camera} */ (stage.camera);
    [stage.camera, stage.stretch] = [camera, STRETCH];
    stage.painter.begin(camera, scene, rect);
    stage.paintWorld(scene);
    const why = stage.extra.get("why");
    const made = why?.make?.() ?? [];
    const longest = (FITS * rect.width) / camera.meter(view.place);
    const elements = magnified([...(why?.elements ?? []), ...made], longest, scene.dimensions);
    stage.painter.depth(false);
    stage.once(elements.filter(({ kind }) => kind !== "texts"));
    if (stage.selected) stage.single(stage.selected, view.place);
    [stage.camera, stage.stretch] = [main, 1];
    stage.painter.look(main);
    stage.once([frame(main, view)]);
    this.write(elements, new Set(made));
  }

  /**
   * The names of what it shows.
   * @param {Element[]} elements
   * @param {Set<Element>} forces those that follow the vehicle: arrows of forces, and their names
   */
  write(elements, forces) {
    const { rect, camera, place } = /** @type {View} */ (this.view);
    const d = place.length;
    const spot = (/** @type {ArrayLike<number>} */ places, /** @type {number} */ k) =>
      onScreen(camera, Array.prototype.slice.call(places, d * k, d * k + d));
    const inside = { x: 0, y: 0, width: rect.width, height: rect.height };
    const own = /** @type {number[]} */ (onScreen(camera, place));
    const all = elements.flatMap((element) =>
      (element.kind === "texts" ? (element.words ?? []) : []).flatMap((text, k) => {
        const at = spot(element.position ?? [], k);
        return at && within(inside, at) && !LOOKS.test(text) ? [{ text, at, element, force: forces.has(element) }] : [];
      }),
    );
    const names = chosen(all, own);
    const now = JSON.stringify([rect, names.map(({ text, at }) => [text, at.map(Math.round)])]);
    if (now === this.written) return;
    this.written = now;
    Object.assign(this.box.style, { left: `${rect.x}px`, top: `${rect.y}px`, width: `${rect.width}px` });
    this.box.style.height = `${rect.height}px`;
    const words = names.map(({ text, element }) =>
      html("span", { className: "word", textContent: text, style: { color: element.color ? css(element.color) : "" } }),
    );
    this.box.replaceChildren(...words);
    const things = { lines: linesOf(elements, STRAIGHT, spot, d), bodies: [], kept: [] };
    /** @type {import("./labels.js").Box[]} */
    const placed = [];
    const stood = new Map();
    names.forEach(({ text, at, element }, k) => {
      const [wide, high] = [words[k].offsetWidth, words[k].offsetHeight];
      const wished = { x: at[0], y: at[1], wide, high, before: at[0] < own[0] - 6, place: at };
      const { key, x, y } = freest(wished, placed, things, rect, this.stood.get(text));
      stood.set(text, key);
      placed.push({ x, y, wide, high });
      Object.assign(words[k].style, { left: `${x}px`, top: `${y}px`, transform: "translate(0, -50%)" });
      const line = leader({ x, y, wide, high, place: at });
      if (line) this.box.prepend(drawn(line, element.color ? css(element.color) : ""));
    });
    this.stood = stood;
  }

  /** Whether the lens covers a place of the picture. @param {number[]} at [pixels of CSS] */
  covers(at) {
    return this.view !== null && within(this.view.rect, at);
  }

  /**
   * Whether the lens, and not the picture, has a name.
   * @param {string} text
   * @param {number[]} at its place in the picture [pixels of CSS]
   */
  names(text, at) {
    const { view, stage } = this;
    const own = view && stage.camera && onScreen(stage.camera, view.place);
    if (!view || !own) return false;
    if (VELOCITIES.has(text)) return true;
    const half = view.rect.width / 2 / view.zoom;
    return Math.abs(at[0] - own[0]) <= half && Math.abs(at[1] - own[1]) <= half;
  }

  /** Come so near that the whole picture is as the lens, as where a scenario opens so. */
  approach() {
    const { view, stage } = this;
    if (!view || !stage.camera || !stage.scene) return;
    stage.scene.close_up = Math.min(stage.camera.width, stage.camera.height) / view.camera.meter(view.place);
    stage.approached = null;
    stage.dirty = true;
  }
}

/**
 * The places for it: corners, and the middles between them.
 * @param {{width: number, height: number}} picture
 * @param {number} side
 * @returns {Rect[]}
 */
function cornersOf({ width, height }, side) {
  const [left, right] = [MARGINS.side + 22, width - side - MARGINS.side];
  const [top, bottom] = [MARGINS.top, height - side - MARGINS.bottom];
  const [middle, between] = [(left + right) / 2, (top + bottom) / 2];
  const places = [right, left, middle].flatMap((x) => [top, bottom, between].map((y) => ({ x, y })));
  return places.slice(0, -1).map((place) => ({ ...place, width: side, height: side }));
}

/** @param {Rect} rect @param {number[]} at */
const within = ({ x, y, width, height }, [left, top]) =>
  left >= x && left <= x + width && top >= y && top <= y + height;

/** @param {Rect} one @param {Rect} other */
const overlap = (one, other) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/**
 * The frames of the lens and of the place that it shows.
 * @param {Camera} camera of the picture
 * @param {View} view
 * @returns {Element}
 */
function frame(camera, { rect, zoom, place }) {
  const [x, y] = /** @type {number[]} */ (onScreen(camera, place));
  const side = rect.width / zoom;
  const small = { x: x - side / 2, y: y - side / 2, width: side, height: side };
  const ring = (/** @type {Rect} */ r) =>
    [0, 1, 2, 3, 0].flatMap((k) => camera.place(r.x + (k % 3 ? r.width : 0), r.y + (k > 1 ? r.height : 0), place));
  const points = [rect, small].flatMap((each) => ring(each));
  const color = Float32Array.of(...tone("ink"), 0.75);
  return {
    kind: "lines",
    layer: 9,
    counts: [5, 5],
    points: Float32Array.from(points),
    color,
    width: Float32Array.of(1),
  };
}

/**
 * What the explanation draws, for the lens: velocities, where they would leave it, shorter, all in one proportion; other lines thinner.
 * @param {Element[]} elements
 * @param {number} longest [m]
 * @param {number} d
 * @returns {Element[]}
 */
export function magnified(elements, longest, d) {
  const arrows = elements.filter(({ kind, means = "" }) => kind === "arrows" && DRAWN.has(means));
  const tail = arrows.find(({ tails }) => tails?.length)?.tails ?? [];
  const lengths = arrows.map(({ tips = [] }) =>
    Math.hypot(...Array.from(tips.slice(0, d), (each, c) => each - tail[c])),
  );
  const part = Math.min(1, longest / Math.max(...lengths, 1e-30));
  const short = (/** @type {Float32Array | undefined} */ places) =>
    places && places.map((each, k) => tail[k % d] + part * (each - tail[k % d]));
  return elements.map((element) => {
    const { kind, means = "", words = [], tips, points, position, color, width } = element;
    if (tail.length && DRAWN.has(means) && kind === "arrows") return { ...element, tips: short(tips) };
    if (tail.length && DRAWN.has(means) && kind === "lines") return { ...element, points: short(points) };
    if (tail.length && words.length && words.every((each) => VELOCITIES.has(each)))
      return { ...element, position: short(position) };
    if (kind !== "lines") return element;
    const pale = color?.map((each, k) => (k % 4 === 3 ? THIN * each : each));
    return { ...element, color: pale, width: width?.map((each) => THIN * each) };
  });
}
