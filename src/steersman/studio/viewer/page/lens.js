// The lens: where the explained vehicle is small in a wide picture, a corner shows it and its arrows magnified.

import { byId, html } from "./controls.js";
import { cameraOf, onScreen } from "./camera.js";
import { OWN, ROUND, Words, bodiesOf, isWithin, linesOf, namesOf, spotOf, worthOf } from "./labels.js";
import { tone } from "./palette.js";
import { chosen } from "./names.js";
import { inside } from "./placing.js";

/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./types.js").Scene} Scene */
/** A part of the picture, from its upper left corner [pixels of CSS]. @typedef {{x: number, y: number, width: number, height: number}} Rect */
/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {{rect: Rect, camera: Camera, zoom: number, place: number[]}} View */

const SMALL = 18; // A vehicle that is drawn shorter needs a lens [pixels of CSS].
const LARGE = 44; // It is so long in the lens [pixels of CSS],
const MOST = 8; // and at most so many times as long as in the picture.
const PARTS = [0.44, 0.34]; // The side of the lens, as a part of the smaller side of the picture: as it likes, and where room is scarce,
const SIDES = [170, 270]; // and within these limits [pixels of CSS].
const SCARCE = 12; // Room is scarce where the large one covers more than so many vehicles more.
const LEAST = [640, 400]; // A smaller picture has none [pixels of CSS].
const MANY = 3000; // More vehicles are not painted twice.
const MARGINS = { side: 12, top: 22, bottom: 12 }; // To the border, with its numbers.
const WORD = 8; // A word below the lens counts as so many vehicles,
const MARK = 0.06; // a pixel of CSS of a line of the explanation as so many,
const DRAWN = 0.02; // and of the scenery as so many,
const FAR = 0.012; // and a pixel of CSS from the vehicle to the lens.
const STAYS = 8; // It stays where it covers no more than so many vehicles too many,
const SELDOM = 30; // which is looked at with each so many pictures.
const LETTER = 6.5; // The width of a letter, about [pixels of CSS],
const LINE = 15; // and the height of a word.
const AROUND = 10; // The lens is at least so far from the place that it shows [pixels of CSS].
const STRETCH = 1.7; // Arrows of forces are so many times as long as in the picture.
const THIN = 0.6; // Other lines of the explanation are so wide, and so dense, as parts of what they are in the picture.

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
    this.words = new Words(this.box);
    /** The names that it has, each with its node. @type {Set<string>} */
    this.named = new Set();
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
    const meter = camera.meter(place);
    const long = stage.sizes(bodies)[bodies.id.indexOf(selected.id)] * meter;
    if (stage.count > MANY || !(long > 0) || long >= SMALL) return null;
    const zoom = Math.min(LARGE / long, MOST);
    const least = Math.min(camera.width, camera.height);
    const [side, small] = PARTS.map((part) => Math.min(Math.max(part * least, SIDES[0]), SIDES[1]));
    const at = onScreen(camera, place);
    const explains = Boolean(stage.extra.get("why")?.elements.length);
    const subject = `${scene.name} ${selected.population} ${selected.id} ${camera.width} ${camera.height} ${explains}`;
    if (!at || !within({ x: 0, y: 0, width: camera.width, height: camera.height }, at)) return null;
    const [x, y] = at.map((each) => each - side / 2 / zoom);
    const size = side / zoom + 2 * AROUND;
    const region = { x: x - AROUND, y: y - AROUND, width: size, height: size };
    const corners = [side, small].flatMap((each) => cornersOf(camera, each));
    const now = subject !== this.subject || this.corner < 0 || overlap(corners[this.corner], region);
    if (now || stage.painted % SELDOM === 0) {
      this.subject = subject;
      this.corner = this.emptiest(corners, region, now ? -1 : this.corner);
    }
    const near = cameraOf(scene);
    if ("azimuth" in near && "azimuth" in camera) [near.azimuth, near.elevation] = [camera.azimuth, camera.elevation];
    const rect = corners[this.corner];
    near.resize(rect.width, rect.height);
    near.near(rect.width / zoom / meter);
    near.follow(place);
    return { rect, camera: near, zoom, place };
  }

  /**
   * The place that covers least of vehicles, of words and of what explains, and is near; not that of the explained vehicle.
   * @param {Rect[]} places
   * @param {Rect} region that is magnified
   * @param {number} last the number of the place where it is, which it leaves for a much better one; -1 for none
   */
  emptiest(places, region, last) {
    const { after, elements, extra, noted, scene, texts } = this.stage;
    const d = scene?.dimensions ?? 2;
    const spot = spotOf(/** @type {Camera} */ (this.stage.camera), d);
    const far = (/** @type {Rect} */ { x, y, width }) =>
      Math.hypot(x + width / 2 - region.x - region.width / 2, y + width / 2 - region.y - region.width / 2);
    const small = (/** @type {Rect} */ { width }) => (width < places[0].width ? SCARCE : 0);
    const costs = places.map((rect) => (overlap(rect, region) ? 1e6 : FAR * far(rect)) + small(rect));
    for (const { n, position } of Object.values(after?.populations ?? {}))
      for (let k = 0; k < n; k++) {
        const at = spot(position, k);
        places.forEach((rect, c) => (costs[c] += at && within(rect, at) ? 1 : 0));
      }
    const why = extra.get("why");
    const crossed = (/** @type {Element[]} */ them, /** @type {number} */ each) => {
      for (const [from, to] of linesOf(them, spot, d))
        places.forEach(({ x, y, width, height }, c) => {
          costs[c] += each * inside(from, to, [x, y], [x + width, y + height]);
        });
    };
    crossed([...elements, ...noted], DRAWN);
    crossed(why?.elements ?? [], MARK);
    for (const { position = [], words = [] } of [...texts, ...noted, ...(why?.words ?? [])])
      words.forEach((text, k) => {
        const at = spot(position, k);
        const word = at && { x: at[0], y: at[1] - LINE / 2, width: LETTER * text.length, height: LINE };
        places.forEach((rect, c) => (costs[c] += word && overlap(rect, word) ? WORD : 0));
      });
    const least = Math.min(...costs);
    return costs[last] < least + STAYS ? last : costs.indexOf(least);
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
      this.named.clear();
      return;
    }
    const { stage } = this;
    const { rect, camera } = view;
    const main = /** @type {Camera} */ (stage.camera);
    [stage.camera, stage.stretch] = [camera, STRETCH];
    stage.painter.begin(camera, scene, rect);
    stage.paintWorld(scene);
    const why = stage.extra.get("why");
    const spot = spotOf(camera, scene.dimensions);
    const elements = magnified([...(why?.elements ?? []), ...(why?.make?.() ?? [])], spot, rect);
    stage.explain([], elements, view.place);
    const rim = stage.selected ? stage.rim(stage.selected) : 0;
    [stage.camera, stage.stretch] = [main, 1];
    stage.painter.look(main);
    stage.once(frames(main, view));
    this.write(elements, rim);
  }

  /**
   * The names of what it shows.
   * @param {Element[]} elements
   * @param {number} rim the radius of the ring around the vehicle [pixels of CSS]
   */
  write(elements, rim) {
    const { rect, camera, place, zoom } = /** @type {View} */ (this.view);
    const spot = spotOf(camera, place.length);
    const own = /** @type {number[]} */ (onScreen(camera, place));
    const all = namesOf(elements, elements, spot, rect, (at) => isWithin(at, rect));
    const caption = `explained vehicle, \u00d7 ${Number(zoom.toPrecision(2))}`;
    const names = chosen(all, own);
    const now = JSON.stringify([rect, caption, names.map(({ text, at }) => [text, at.map(Math.round)])]);
    if (now === this.written) return;
    this.written = now;
    Object.assign(this.box.style, { left: `${rect.x}px`, top: `${rect.y}px`, width: `${rect.width}px` });
    this.box.style.height = `${rect.height}px`;
    const candidates = names.map((each) => this.words.wish(each, own, worthOf(each), rect));
    const ring = { x: own[0] - rim, y: own[1], wide: 2 * rim, high: 2 * rim, weight: OWN };
    const below = { x: 0, y: rect.height - LINE / 2, wide: rect.width, high: LINE };
    const things = {
      words: [],
      kept: [below],
      lines: linesOf(elements, spot, place.length),
      bodies: [ring, ...bodiesOf(this.stage, camera)],
    };
    const title = html("span", { className: "caption", textContent: caption });
    this.named = new Set(this.words.show(candidates, things, rect, [title]).map(({ element }) => nameOf(element)));
  }

  /** Whether the lens covers a place of the picture. @param {number[]} at [pixels of CSS] */
  covers(at) {
    return this.view !== null && within(this.view.rect, at);
  }

  /**
   * Whether the lens, and not the picture, has a name.
   * @param {{at: number[], element: Element}} name with its place in the picture [pixels of CSS]
   */
  names({ at, element }) {
    const { view, stage } = this;
    const own = view && stage.camera && onScreen(stage.camera, view.place);
    if (!view || !own) return false;
    const half = view.rect.width / 2 / view.zoom;
    const ring = stage.extra
      .get("why")
      ?.elements.some((it) => it.kind === "lines" && isRing(it) && it.of === element.of);
    return this.named.has(nameOf(element)) || (!ring && at.every((each, c) => Math.abs(each - own[c]) <= half));
  }

  /** Come near, as where a scenario opens. */
  approach() {
    if (this.view) this.stage.framing.begin();
  }
}

/**
 * The places for it.
 * @param {{width: number, height: number}} picture
 * @param {number} side
 * @returns {Rect[]}
 */
function cornersOf({ width, height }, side) {
  const [left, right] = [MARGINS.side + 22, width - side - MARGINS.side];
  const [top, bottom] = [MARGINS.top, height - side - MARGINS.bottom];
  const along = (/** @type {number} */ low, /** @type {number} */ high, /** @type {number} */ n) =>
    Array.from({ length: n }, (_, k) => low + (k * (high - low)) / (n - 1));
  return along(right, left, 7).flatMap((x) => along(top, bottom, 4).map((y) => ({ x, y, width: side, height: side })));
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
 * The frames of the lens and, faint, of the place that it shows.
 * @param {Camera} camera of the picture
 * @param {View} view
 * @returns {Element[]}
 */
function frames(camera, { rect, zoom, place }) {
  const [x, y] = /** @type {number[]} */ (onScreen(camera, place));
  const side = rect.width / zoom;
  const small = { x: x - side / 2, y: y - side / 2, width: side, height: side };
  const ring = (/** @type {Rect} */ r) =>
    [0, 1, 2, 3, 0].flatMap((k) => camera.place(r.x + (k % 3 ? r.width : 0), r.y + (k > 1 ? r.height : 0), place));
  const look = { kind: "lines", layer: 9, counts: [5, 5], width: Float32Array.of(1, 0.75) };
  const color = Float32Array.of(...tone("ink"), 0.6, ...tone("ink"), 0.3);
  return [{ ...look, points: Float32Array.from([...ring(rect), ...ring(small)]), color }];
}

/** A name, with its node. @param {Element} [element] */
const nameOf = (element) => `${element?.of} ${element?.words}`;

/** Whether lines, or areas, are rings. @param {Element} element */
const isRing = ({ counts = [] }) => (counts[0] ?? 0) > ROUND;

/**
 * What the explanation draws, for the lens: without rings that are larger than it, and what is only about these; lines thinner.
 * @param {Element[]} elements
 * @param {import("./labels.js").Spot} spot
 * @param {{width: number}} rect
 * @returns {Element[]}
 */
export function magnified(elements, spot, rect) {
  const wide = (/** @type {Element} */ { points = new Float32Array(0), counts = [] }) => {
    const across = Array.from({ length: counts[0] }, (_, k) => spot(points, k)?.[0] ?? NaN);
    return Math.max(...across) - Math.min(...across);
  };
  const large = elements.filter((each) => each.kind === "lines" && isRing(each) && !(wide(each) < rect.width));
  const isOf = (/** @type {Element} */ each) =>
    large.some((ring) => ring === each || (ring.of === each.of && ring.means === each.means && each.kind !== "arrows"));
  return elements
    .filter((each) => !isOf(each))
    .map((element) => {
      const { kind, color, width } = element;
      if (kind !== "lines" || element.force) return element;
      const pale = color?.map((each, k) => (k % 4 === 3 ? THIN * each : each));
      return { ...element, color: pale, width: width?.map((each) => THIN * each) };
    });
}
