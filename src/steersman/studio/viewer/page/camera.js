// Cameras: where what is seen lies in the picture. A flat one is orthographic, a solid one goes around a point.

import { clamp, cross, dot, plus, product, projected } from "./linear.js";

/** @typedef {import("./linear.js").Vector} Vector */
/** @typedef {import("./types.js").Scene} Scene */

const DISTANCE = 2.6; // How far the camera is from the middle, in radii of what it sees: as in the pictures.
const HALF_HEIGHT = 0.74;

const FOOT = 58; // Height below the picture that the legend, the scale and the reason take [pixels of CSS].

/** A camera above the plane. */
export class FlatCamera {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.middle = [...scene.middle, 0];
    this.scale = 1; // Pixels of CSS a meter.
    this.width = this.height = 1;
    this.touched = false;
  }

  /**
   * Fit in with the size of the canvas [pixels of CSS]; everything is seen until the user zooms.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    [this.width, this.height] = [width, height];
    if (!this.touched) this.fit();
  }

  /** How many pixels of CSS a meter is where everything is seen. */
  get whole() {
    const [across, up] = [0, 1].map((k) => this.scene.high[k] - this.scene.low[k]);
    return 0.94 * Math.min(this.width / across, Math.max(this.height - FOOT, this.height / 2) / up);
  }

  /** See everything, above the legend. */
  fit() {
    this.scale = this.whole;
    const foot = Math.min(FOOT, this.height / 2);
    this.middle = [this.scene.middle[0], this.scene.middle[1] - foot / 2 / this.scale, 0];
    this.touched = false;
  }

  /** The matrix from meters to the picture. */
  get matrix() {
    const [sx, sy] = [(2 * this.scale) / this.width, (2 * this.scale) / this.height];
    return [sx, 0, 0, 0, 0, sy, 0, 0, 0, 0, -1e-4, 0, -sx * this.middle[0], -sy * this.middle[1], 0, 1];
  }

  /** Where the camera is, for light. */
  get eye() {
    return [this.middle[0], this.middle[1], 1e6];
  }

  /**
   * How many pixels of CSS a meter is at a place.
   * @param {Vector} _place
   */
  meter(_place) {
    return this.scale;
  }

  /**
   * The place under a pixel.
   * @param {number} x
   * @param {number} y
   * @param {Vector} [_near]
   */
  place(x, y, _near) {
    return [this.middle[0] + (x - this.width / 2) / this.scale, this.middle[1] - (y - this.height / 2) / this.scale];
  }

  /**
   * Come nearer, to what is under a pixel.
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const before = this.place(x, y);
    this.scale *= factor;
    const after = this.place(x, y);
    this.middle = [this.middle[0] + before[0] - after[0], this.middle[1] + before[1] - after[1], 0];
    this.touched = true;
  }

  /**
   * Move what is seen along with the pointer.
   * @param {number} dx
   * @param {number} dy
   */
  drag(dx, dy) {
    this.middle = [this.middle[0] - dx / this.scale, this.middle[1] + dy / this.scale, 0];
    this.touched = true;
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    this.drag(dx, dy);
  }

  /**
   * See so much of the world, around what is looked at next.
   * @param {number} wide the smaller side of the view [m]
   */
  near(wide) {
    this.scale = Math.min(this.width, this.height) / wide;
    this.touched = true;
  }

  /**
   * Look at a place.
   * @param {Vector} place
   */
  follow(place) {
    this.middle = [place[0], place[1], 0];
    this.touched = true;
  }

  /**
   * Look at a place.
   * @param {number} scale how many pixels of CSS a meter is there
   * @param {Vector} place
   */
  see(scale, place) {
    this.scale = scale;
    this.follow(place);
  }

  /** How far the camera is from what it looks at [m]: what is nearer is not larger. */
  get distance() {
    return Infinity;
  }

  /** Right, up and toward the camera. */
  get axes() {
    return [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
  }
}

/** A camera that goes around a point. */
export class SolidCamera {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.width = this.height = 1;
    this.middle = [...scene.middle];
    this.reach = scene.reach;
    this.azimuth = scene.azimuth;
    this.elevation = scene.elevation;
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    [this.width, this.height] = [width, height];
  }

  /** See everything. */
  fit() {
    this.middle = [...this.scene.middle];
    this.reach = this.scene.reach;
    [this.azimuth, this.elevation] = [this.scene.azimuth, this.scene.elevation];
  }

  /** Right, up and toward the camera. */
  get axes() {
    const [a, e] = [(this.azimuth * Math.PI) / 180, (this.elevation * Math.PI) / 180];
    const toward = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
    const right = [-Math.sin(a), Math.cos(a), 0];
    return [right, cross(toward, right), toward];
  }

  /** How far the camera is from what it looks at [m]. */
  get distance() {
    return DISTANCE * this.reach;
  }

  get eye() {
    return plus(this.middle, this.axes[2], this.distance);
  }

  /** Tangent of half the vertical angle of view. */
  get slope() {
    return Math.max(HALF_HEIGHT, this.height / this.width) / DISTANCE;
  }

  get matrix() {
    const [right, up, toward] = this.axes;
    const eye = this.eye;
    const look = [
      right[0],
      up[0],
      toward[0],
      0,
      right[1],
      up[1],
      toward[1],
      0,
      right[2],
      up[2],
      toward[2],
      0,
      -dot(right, eye),
      -dot(up, eye),
      -dot(toward, eye),
      1,
    ];
    const [near, far] = [0.01 * this.reach, 20 * Math.max(this.reach, this.scene.reach)];
    const f = 1 / this.slope;
    const lens = [
      (f * this.height) / this.width,
      0,
      0,
      0,
      0,
      f,
      0,
      0,
      0,
      0,
      (far + near) / (near - far),
      -1,
      0,
      0,
      (2 * far * near) / (near - far),
      0,
    ];
    return product(lens, look);
  }

  /**
   * How many pixels of CSS a meter is at a place.
   * @param {Vector} place
   */
  meter(place) {
    return meters(this)(place);
  }

  /**
   * The place under a pixel that is as far away as another one.
   * @param {number} x
   * @param {number} y
   * @param {Vector} [near]
   */
  place(x, y, near = this.middle) {
    const [right, up] = this.axes;
    const [atX, atY] = projected(this.matrix, near);
    const meter = this.meter(near);
    const [dx, dy] = [x - ((atX + 1) * this.width) / 2, y - ((1 - atY) * this.height) / 2];
    return plus(plus(near, right, dx / meter), up, -dy / meter);
  }

  /**
   * @param {number} factor
   * @param {number} [_x]
   * @param {number} [_y]
   */
  zoom(factor, _x, _y) {
    this.reach = clamp(this.reach / factor, 1e-3 * this.scene.reach, 6 * this.scene.reach);
  }

  /**
   * Turn with the pointer.
   * @param {number} dx
   * @param {number} dy
   */
  drag(dx, dy) {
    this.azimuth -= 0.35 * dx;
    this.elevation = clamp(this.elevation + 0.35 * dy, -89, 89);
  }

  /**
   * Move with the pointer.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    const meter = this.meter(this.middle);
    const [right, up] = this.axes;
    this.middle = plus(plus(this.middle, right, -dx / meter), up, dy / meter);
  }

  /** @param {number} wide the view [m] */
  near(wide) {
    this.reach = wide / 2;
  }

  /** @param {Vector} place */
  follow(place) {
    this.middle = [...place];
  }

  /**
   * @param {number} scale
   * @param {Vector} place
   */
  see(scale, place) {
    this.reach = this.height / (2 * this.slope * DISTANCE * scale);
    this.follow(place);
  }

  /** How many pixels of CSS a meter is in the middle where everything is seen. */
  get whole() {
    return this.height / (2 * this.slope * DISTANCE * this.scene.reach);
  }
}

/** @typedef {FlatCamera | SolidCamera} Camera */

const AROUND = 0.5; // What is sent around the picture, as a part of half of its width or height.

/**
 * What a camera sees, and a margin, as planes: a normal and an offset each. Null where it sees everything.
 * @param {Camera} camera
 * @returns {number[][] | null}
 */
export function planesOf(camera) {
  const { matrix, scene } = camera;
  const far = "touched" in camera ? !camera.touched : camera.reach >= scene.reach && isAt(camera.middle, scene.middle);
  if (far || scene.ground !== null) return null; // Shadows on the ground are seen where their vehicles are not.
  const d = scene.dimensions;
  const row = (/** @type {number} */ k) => [...Array(d).keys(), 3].map((c) => matrix[4 * c + k]);
  const [x, y, w] = [row(0), row(1), row(3)];
  return [x, y].flatMap((side) =>
    [1, -1].map((sign) => {
      const plane = w.map((each, c) => (1 + AROUND) * each + sign * side[c]);
      const size = Math.hypot(...plane.slice(0, d));
      return plane.map((each) => each / size);
    }),
  );
}

/** @param {Vector} one @param {Vector} other */
const isAt = (one, other) => one.every((each, c) => each === other[c]);

/**
 * @param {Scene} scene
 * @returns {Camera}
 */
export const cameraOf = (scene) => (scene.dimensions === 2 ? new FlatCamera(scene) : new SolidCamera(scene));

/**
 * Where a place is on the canvas [pixels of CSS], or null behind the camera.
 * @param {Camera} camera
 * @param {Vector} place
 * @returns {[number, number] | null}
 */
export function onScreen(camera, place) {
  const [x, y, , w] = projected(camera.matrix, place);
  return w > 0 ? [((x + 1) * camera.width) / 2, ((1 - y) * camera.height) / 2] : null;
}

/**
 * The same for many places: a function of the place, good until the camera moves.
 * @param {Camera} camera
 * @returns {(place: Vector) => [number, number] | null}
 */
export function screen(camera) {
  const { matrix, width, height } = camera;
  return (place) => {
    const [x, y, , w] = projected(matrix, place);
    return w > 0 ? [((x + 1) * width) / 2, ((1 - y) * height) / 2] : null;
  };
}

/**
 * How many pixels of CSS a meter is at places: a function of the place, good until the camera moves.
 * @param {Camera} camera
 * @returns {(place: Vector) => number}
 */
export function meters(camera) {
  if ("scale" in camera) return () => camera.scale;
  const { matrix, height, slope } = camera;
  return (place) => height / (2 * slope * Math.max(projected(matrix, place)[3], 1e-6));
}

/**
 * A step of 1, 2 or 5 times a power of ten, no smaller than what is wanted.
 * @param {number} wanted
 */
export function stepOf(wanted) {
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * ([1, 2, 5, 10].find((k) => k * power >= wanted) ?? 10);
}

/** The mesh of the grid: a step of about ninety pixels. @param {{scale: number}} camera */
export const meshOf = ({ scale }) => stepOf(90 / scale);

/**
 * Into how many parts the lines between divide a mesh of the grid: these are 1, 2 or 5 times a power of ten, too.
 * @param {number} mesh
 */
export const partsOf = (mesh) => (Math.round(mesh / 10 ** Math.floor(Math.log10(mesh) + 1e-9)) === 2 ? 4 : 5);
