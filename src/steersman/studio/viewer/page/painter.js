// The painter: puts elements and bodies onto a canvas with WebGL2. It knows nothing of where they come from.

import { BALL, DISC, glyph, normalsOf } from "./shapes.js";
import { TABLES, dusk, dusked, dusks, tone } from "./palette.js";
import { BODY, GUIDE, PLACE } from "./outlines.js";
import { AWAY, PROGRAMS } from "./shaders.js";
import { GRAIN, MATERIALS, grains, tiling } from "./grain.js";
import { meshOf, partsOf, stepOf } from "./camera.js";
import { clamp, plus } from "./linear.js";

/** @typedef {import("./types.js").Element} Element */
/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {{program: WebGLProgram, at: Record<string, WebGLUniformLocation | null>}} Program */
/** @typedef {(painter: Painter) => void} Draw */

/** Pixels of CSS a point. */
export const POINT = 96 / 72;

/** Corners of an arrow: from its tail (x >= 0: parts of its length) or behind its tip (x < 0: widths of the shaft). */
const ARROW = new Float32Array([
  0, -0.5, -5.2, -0.5, -5.2, 0.5, 0, -0.5, -5.2, 0.5, 0, 0.5, -6, -2.5, -1e-9, 0, -5.2, 0, -5.2, 0, -1e-9, 0, -6, 2.5,
]);
/** Edges as they are, and soft ones beneath those of areas with few points: wider [points]. */
const SHARP = { wider: 0, opacity: 1 };
const SOFT = { wider: 5, opacity: 0.13, points: 5000 };
/** The bank around regions. */
const BANK = { wider: 16, opacity: 0.1 };
const STRIP = new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]);
const SQUARE = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]);
/** The layer below which the ground of the plane is, which reaches far beyond the picture. */
export const LAND = 0.1;
/** The mesh of the grid on the ground in space, as a part of what the scene reaches; how often the grain of land repeats there. */
const MESH = 0.25;
const LAWN = 1.5;
/** The color of shadows. */
export const SHADE = [0.05, 0.05, 0.06];
const SHAPES = ["plus", "dot", "ring", "cross", "glow"];
/** The shadows of obstacles, which stand upon the ground: how far their layers reach, as parts of how large these are in the
 * picture, at least and at most so many pixels of CSS; and how dense they are. */
const SHADOWS = { layers: [0.25, 0.5, 0.75, 1], size: 0.24, least: 7, most: 26, dense: 0.075 };

export class Painter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, stencil: true, preserveDrawingBuffer: true });
    if (!gl)
      throw new Error("This browser has no WebGL2, with which the window draws; hardware acceleration may be off.");
    this.canvas = canvas;
    this.gl = gl;
    /** @type {Record<string, Program>} */
    this.programs = {};
    for (const [name, source] of Object.entries(PROGRAMS)) this.programs[name] = this.compiled(source);
    this.strip = this.buffer(STRIP);
    this.square = this.buffer(SQUARE);
    this.arrow = this.buffer(ARROW);
    /** Grains of materials, by name. @type {Record<string, WebGLTexture>} */
    this.grains = {};
    /** @type {Record<string, {buffer: WebGLBuffer, corners: number}>} */
    this.shapes = {};
    /** Triangles of the glyphs that the scene has, by name. @type {Record<string, Float32Array>} */
    this.glyphs = {};
    /** Pixels of CSS of paper around lines, arrows and marks, so that they are read over anything. */
    this.halo = 0;
    /** The color of what is far away, and how much of it there is. */
    this.haze = [0, 0, 0, 0];
    /** How dense lines, arrows and marks are, as a part of the usual. */
    this.strength = 1;
    /** The corners of the paper. @type {WebGLBuffer | null} */
    this.ground = null;
    this.dark = false;
    /** Whether the picture is under water. */
    this.wet = false;
    this.transparent = false;
    /** Whether the ground has a grid. */
    this.meshed = true;
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /**
   * @param {{vertex: string, fragment: string}} source
   * @returns {Program}
   */
  compiled(source) {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [kind, text] of [
      [gl.VERTEX_SHADER, source.vertex],
      [gl.FRAGMENT_SHADER, source.fragment],
    ]) {
      const shader = /** @type {WebGLShader} */ (gl.createShader(/** @type {number} */ (kind)));
      gl.shaderSource(shader, /** @type {string} */ (text));
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? "shader");
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "program");
    /** @type {Record<string, WebGLUniformLocation | null>} */
    const at = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
      const name = gl.getActiveUniform(program, k)?.name ?? "";
      at[name] = gl.getUniformLocation(program, name);
    }
    return { program, at };
  }

  /**
   * A buffer of the graphics card with some numbers; another one's room is used again.
   * @param {Float32Array} numbers
   * @param {WebGLBuffer | null} [older]
   * @returns {WebGLBuffer}
   */
  buffer(numbers, older = null) {
    const gl = this.gl;
    const buffer = older ?? gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, older ? gl.DYNAMIC_DRAW : gl.STATIC_DRAW);
    return buffer;
  }

  /**
   * Begin a picture, or a part of it: the size of the canvas, the camera, the paper or the sky.
   * @param {Camera} camera
   * @param {Scene} scene
   * @param {{x: number, y: number, width: number, height: number} | null} [part] of the canvas, from above [pixels of CSS]
   */
  begin(camera, scene, part = null) {
    const gl = this.gl;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    this.point = POINT * ratio;
    this.ratio = ratio;
    this.flat = scene.dimensions === 2;
    this.wet = scene.wet ?? false;
    camera.resize(part?.width ?? (width || 1), part?.height ?? (height || 1));
    const colors = this.look(camera, part);
    gl.clearColor(colors.paper[0], colors.paper[1], colors.paper[2], 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.disable(gl.DEPTH_TEST);
    if ("slope" in camera) this.sky(colors, camera, scene);
    else if (!scene.elements.some(({ layer }) => layer < LAND)) this.sheet(colors.paper, camera);
  }

  /**
   * Look through a camera at what is painted next, on all of the canvas or on a part.
   * @param {Camera} camera
   * @param {{x: number, y: number, width: number, height: number} | null} [part] from above [pixels of CSS]
   * @returns {{paper: number[], above: number[], below: number[], haze: number[]}} colors
   */
  look(camera, part = null) {
    const gl = this.gl;
    const ratio = this.ratio ?? 1;
    this.camera = camera;
    const colors = {
      paper: this.shown(tone("sheet")),
      above: this.shown(tone(this.wet ? "shallow" : "zenith")),
      below: this.shown(tone(this.wet ? "deep" : "below")),
      haze: this.shown(tone(this.wet ? "water" : "haze")),
    };
    const { width, height } = this.canvas;
    const { x, y, ...size } = part ?? { x: 0, y: 0, width: width / ratio, height: height / ratio };
    const [left, wide, high] = [x, size.width, size.height].map((each) => Math.round(each * ratio));
    const below = height - Math.round(y * ratio) - high;
    gl.viewport(left, below, wide, high);
    gl.scissor(left, below, wide, high);
    (part ? gl.enable : gl.disable).call(gl, gl.SCISSOR_TEST);
    this.haze = [...colors.haze, this.flat ? 0 : 0.55];
    const matrix = new Float32Array(camera.matrix);
    const reach = this.flat ? 1e9 : /** @type {import("./camera.js").SolidCamera} */ (camera).reach;
    for (const { program, at } of Object.values(this.programs)) {
      gl.useProgram(program);
      if (at.seen) gl.uniformMatrix4fv(at.seen, false, matrix);
      if (at.canvas) gl.uniform2f(at.canvas, wide, high);
      if (at.eye) gl.uniform3fv(at.eye, camera.eye);
      if (at.reach) gl.uniform1f(at.reach, this.flat ? 1e-6 : reach);
      if (at.haze) gl.uniform4fv(at.haze, this.haze);
      if (at.paper) gl.uniform3fv(at.paper, colors.paper);
      if (at.point) gl.uniform1f(at.point, this.point ?? 1);
    }
    this.storey(0, 0, 1);
    return colors;
  }

  /**
   * From here on, only what is above a height is painted, or below it.
   * @param {number} height [m]
   * @param {number} side 1 for above, -1 for below, 0 for both
   * @param {number} opacity how dense that is
   */
  storey(height, side, opacity) {
    for (const { program, at } of Object.values(this.programs)) {
      this.gl.useProgram(program);
      if (at.storey) this.gl.uniform3f(at.storey, height, side, opacity);
    }
  }

  /** A color as it is on the paper that there is. @param {number[]} color on light paper */
  shown(color) {
    return this.dark ? dusk(color) : color;
  }

  /** Colors with opacities as they are on the paper that there is. @param {Float32Array} colors */
  shades(colors) {
    return this.dark ? dusks(colors, 4) : colors;
  }

  /**
   * The sky, and the ground below it as far as the horizon.
   * @param {{above: number[], below: number[]}} colors
   * @param {import("./camera.js").SolidCamera} camera
   * @param {Scene} scene
   */
  sky({ above, below }, camera, { ground, reach }) {
    const gl = this.gl;
    const { at } = this.use("SKY");
    const [right, up, toward] = camera.axes;
    const slope = camera.slope;
    gl.uniform3fv(at.right, plus([0, 0, 0], right, (slope * camera.width) / camera.height));
    gl.uniform3fv(at.up, plus([0, 0, 0], up, slope));
    gl.uniform3fv(at.toward, toward);
    gl.uniform3fv(at.above, above);
    gl.uniform3fv(at.below, below);
    gl.uniform3fv(at.soil, this.shown(tone(this.wet ? "sand" : "soil")));
    gl.uniform1f(at.wet, this.wet ? 1 : 0);
    gl.uniform2fv(
      at.ground,
      ground === null ? [0, 0] : [camera.eye[2] - ground, (this.meshed ? 1 : -1) * stepOf(MESH * reach)],
    );
    this.woven(this.wet ? "sand" : "meadow");
    gl.uniform1f(at.weave, this.weave);
    this.attribute(0, this.square, 2);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  /** How much there is of the grain. */
  get weave() {
    return this.dark ? 1.6 : 1;
  }

  /**
   * Paper with a grid, as large as the picture.
   * @param {number[]} paper
   * @param {import("./camera.js").FlatCamera} camera
   */
  sheet(paper, camera) {
    const [[left, top], [right, bottom]] = [camera.place(0, 0), camera.place(camera.width, camera.height)];
    this.ground = this.buffer(Float32Array.of(left, top, right, top, left, bottom, right, bottom), this.ground);
    this.area(paper, 1, "sheet");
    this.attribute(0, this.ground, 2);
    this.gl.drawArrays(this.gl.TRIANGLE_STRIP, 0, 4);
  }

  /**
   * How areas are filled that come next.
   * @param {number[]} color
   * @param {number} opacity
   * @param {keyof typeof MATERIALS} [material]
   */
  area(color, opacity, material) {
    const { gl, ratio = 1 } = this;
    const { at } = this.use("AREAS");
    gl.uniform3fv(at.color, color);
    gl.uniform1f(at.opacity, opacity);
    gl.uniform2f(at.off, 0, 0);
    gl.uniform1i(at.material, material && this.flat ? 1 : 0);
    if (material && this.flat) {
      const { scale } = /** @type {import("./camera.js").FlatCamera} */ (this.camera);
      const [paper, mesh] = [material === "sheet", meshOf({ scale })];
      const [parts, many] = [
        partsOf(mesh),
        this.meshed || !paper ? this.strength * (MATERIALS[material].lines ?? 0) : 0,
      ];
      gl.uniform2f(at.tile, .../** @type {[number, number]} */ (paper ? [0, 0] : tiling(scale)));
      gl.uniform1f(at.weave, this.weave);
      if (!paper) this.woven(material);
      gl.uniform3f(at.mesh, parts / mesh, (ratio * scale * mesh) / parts, parts);
      gl.uniform4fv(at.rule, [...this.shown(tone(paper ? "grid" : "floor edge")), many]);
    }
    return at;
  }

  /** Take the grain of a material. @param {keyof typeof MATERIALS} material */
  woven(material) {
    const { gl } = this;
    const known = this.grains[material];
    gl.bindTexture(gl.TEXTURE_2D, (this.grains[material] ??= gl.createTexture()));
    if (known) return;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, GRAIN, GRAIN, 0, gl.RGBA, gl.UNSIGNED_BYTE, grains(material));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST);
    gl.generateMipmap(gl.TEXTURE_2D);
  }

  /** From here on, what is nearer hides what is farther away; or not. @param {boolean} wanted */
  depth(wanted) {
    const gl = this.gl;
    if (wanted && !this.flat) gl.enable(gl.DEPTH_TEST);
    else gl.disable(gl.DEPTH_TEST);
  }

  /** From here on, what is drawn hides what lies at the same place; or not. @param {boolean} wanted */
  nearer(wanted) {
    const gl = this.gl;
    if (!wanted) return gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    return gl.polygonOffset(-2, -4);
  }

  /** @param {string} name */
  use(name) {
    const program = this.programs[name];
    this.gl.useProgram(program.program);
    for (let k = 0; k < 11; k++) {
      this.gl.disableVertexAttribArray(k);
      this.gl.vertexAttribDivisor(k, 0);
    }
    return program;
  }

  /**
   * Numbers of a buffer for the vertices, or for instances.
   * @param {number} location
   * @param {WebGLBuffer} buffer
   * @param {number} count how many numbers each
   * @param {number} [stride] numbers from one to the next; 0 where there is nothing between
   * @param {number} [offset] numbers before the first
   * @param {number} [divisor] 1 for instances
   */
  attribute(location, buffer, count, stride = 0, offset = 0, divisor = 0) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, count, gl.FLOAT, false, 4 * stride, 4 * offset);
    gl.vertexAttribDivisor(location, divisor);
  }

  /** How many pixels a meter is, in the plane; of arrows in space, times their w. */
  get meter() {
    const camera = /** @type {Camera} */ (this.camera);
    const ratio = this.ratio ?? 1;
    if ("slope" in camera) return (ratio * camera.height) / (2 * camera.slope);
    return ratio * camera.scale;
  }

  // ---------------------------------------------------------------------------------------------- elements

  /**
   * Bring an element to the graphics card.
   * @param {Element} element
   * @param {number} d its dimensions
   * @returns {{layer: number, kind: string, means: string, says: string, slight: boolean, corners: number, marks: number, draw: Draw, free: () => void}}
   */
  prepare(element, d) {
    /** @type {WebGLBuffer[]} */
    const buffers = [];
    const keep = (/** @type {Float32Array} */ numbers) => {
      const buffer = this.buffer(numbers);
      buffers.push(buffer);
      return buffer;
    };
    const free = () => buffers.forEach((buffer) => this.gl.deleteBuffer(buffer));
    return {
      layer: element.layer,
      kind: element.kind,
      means: element.means ?? (element.shape === "plus" ? GUIDE : ""),
      says: element.says ?? "",
      slight: Boolean(element.dash) || (element.opacity ?? 1) < 1,
      corners: (element.counts ?? []).reduce((most, count) => Math.max(most, count), 0),
      marks: element.kind === "marks" ? (element.position?.length ?? 0) / d : 0,
      draw: this.kind(this.dark && !element.shown ? dusked(element) : element, d, keep),
      free,
    };
  }

  /**
   * @param {Element} element
   * @param {number} d
   * @param {(numbers: Float32Array) => WebGLBuffer} keep
   * @returns {Draw}
   */
  kind(element, d, keep) {
    switch (element.kind) {
      case "lines":
        return this.linesOf(segments(element, d, false), element.dash ?? null, keep, element.cast);
      case "areas":
        return this.areasOf(element, d, keep);
      case "arrows":
        return this.arrowsOf(element, d, keep);
      case "marks":
        return this.marksOf(element, d, keep);
      case "mesh":
        return this.meshOf(element, keep);
      case "glyphs":
        return this.glyphsOf(element, d, keep);
      default:
        return () => {};
    }
  }

  /**
   * @param {Float32Array} pieces see `segments`
   * @param {number[] | null} dash
   * @param {(numbers: Float32Array) => WebGLBuffer} keep
   * @param {number[]} [cast] how far beside its place it is painted [pixels of CSS]
   * @returns {Draw}
   */
  linesOf(pieces, dash, keep, cast) {
    if (!pieces.length) return () => {};
    const buffer = keep(pieces);
    return () => this.lines(buffer, pieces.length / PIECE, dash, cast);
  }

  /**
   * @param {WebGLBuffer} buffer
   * @param {number} count
   * @param {number[] | null} [dash]
   * @param {number[]} [cast]
   */
  lines(buffer, count, dash = null, cast = [0, 0]) {
    const gl = this.gl;
    const { at } = this.use("LINES");
    const point = this.point ?? 1;
    gl.uniform2f(at.dash, dash ? dash[0] * point : 0, dash ? dash[1] * point : 0);
    gl.uniform1f(at.meter, this.meter);
    gl.uniform1f(at.lift, this.flat ? 0 : 2e-4);
    gl.uniform2fv(
      at.beside,
      cast.map((each) => each * (this.ratio ?? 1)),
    );
    gl.uniform1f(at.strength, this.strength);
    this.attribute(0, this.strip, 2);
    [
      [1, 3, 0],
      [2, 3, 3],
      [3, 4, 6],
      [4, 1, 10],
      [5, 1, 11],
    ].forEach(([location, size, offset]) => this.attribute(location, buffer, size, PIECE, offset, 1));
    this.haloed(at, () => gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count));
  }

  /**
   * Draw something, over its halo where it is to have one.
   * @param {Program["at"]} at
   * @param {() => void} draw
   */
  haloed(at, draw) {
    const gl = this.gl;
    if (this.halo) gl.uniform4fv(at.haze, [0, 0, 0, 0]); // What explains is not misty.
    for (const wide of this.halo ? [this.halo * (this.ratio ?? 1), 0] : [0]) {
      gl.uniform1f(at.halo, wide);
      draw();
    }
    gl.uniform4fv(at.haze, this.haze);
  }

  /**
   * Filled with the stencil: each ring is a fan of triangles that counts up or down where it covers, so that holes,
   * corners that bend inward and shapes that overlap come out right.
   * @param {Element} element
   * @param {number} d
   * @param {(numbers: Float32Array) => WebGLBuffer} keep
   * @returns {Draw}
   */
  areasOf(element, d, keep) {
    const gl = this.gl;
    const { face, edge } = element;
    const material = d === 2 && face ? this.materialOf(face) : undefined;
    const border = edge ? this.linesOf(segments(element, d, true), element.dash ?? null, keep) : null;
    const soft =
      face && edge && !element.dash && element.means === undefined && (element.points?.length ?? 0) < d * SOFT.points;
    const rim = soft ? this.linesOf(segments(element, d, true, SOFT), null, keep) : null;
    const bank = soft && element.layer === PLACE ? this.linesOf(segments(element, d, true, BANK), null, keep) : null;
    const fans = face ? fansOf(element, d) : new Float32Array(0);
    const buffer = fans.length ? keep(fans) : null;
    const triangles = (element.opacity ?? 1) === 1 && (element.counts ?? []).every((count) => count === 3);
    const plain = triangles || element.layer < LAND; // Needs no stencil.
    const stands = d === 2 && element.layer === BODY;
    const high = stands ? heightOf(element) : 0;
    const fill = (/** @type {number[]} */ color, /** @type {number} */ opacity, x = 0, y = 0) => {
      const at = this.area(color, opacity, color === face && opacity === 1 ? material : undefined);
      gl.uniform2f(at.off, x * (this.ratio ?? 1), y * (this.ratio ?? 1));
      this.attribute(0, /** @type {WebGLBuffer} */ (buffer), d);
      if (plain) return gl.drawArrays(gl.TRIANGLES, 0, fans.length / d);
      gl.enable(gl.STENCIL_TEST);
      gl.depthMask(false); // Else what is counted first would hide what is painted then.
      gl.colorMask(false, false, false, false);
      gl.stencilFunc(gl.ALWAYS, 0, 255);
      gl.stencilOpSeparate(gl.FRONT, gl.KEEP, gl.KEEP, gl.INCR_WRAP);
      gl.stencilOpSeparate(gl.BACK, gl.KEEP, gl.KEEP, gl.DECR_WRAP);
      gl.drawArrays(gl.TRIANGLES, 0, fans.length / d);
      gl.colorMask(true, true, true, true);
      gl.stencilFunc(gl.NOTEQUAL, 0, 255);
      gl.stencilOp(gl.ZERO, gl.ZERO, gl.ZERO);
      gl.drawArrays(gl.TRIANGLES, 0, fans.length / d);
      gl.disable(gl.STENCIL_TEST); // What was counted is 0 again.
      gl.depthMask(true);
    };
    return (painter) => {
      if (buffer && face) {
        const { layers, size, least, most, dense } = SHADOWS;
        const far = clamp((size * high * this.meter) / (this.ratio ?? 1), least, most);
        for (const part of stands ? layers : [])
          fill(SHADE, dense * (this.dark ? 2.5 : 1), part * far * AWAY[0], part * far * AWAY[1]);
        const { opacity = 1 } = element;
        fill(face, opacity < 1 ? opacity * this.strength : opacity);
      }
      bank?.(painter);
      rim?.(painter);
      border?.(painter);
    };
  }

  /** The material that has a color, on the paper that there is. @param {number[]} face */
  materialOf(face) {
    const names = /** @type {(keyof typeof MATERIALS)[]} */ (Object.keys(MATERIALS));
    return names.find((name) => this.isTone(name, face));
  }

  /** Whether a color is one of the palette. @param {string} name @param {ArrayLike<number>} color */
  isTone(name, color) {
    return this.shown(tone(name)).every((part, c) => Math.abs(part - color[c]) < 1e-3);
  }

  /**
   * @param {Element} element
   * @param {number} d
   * @param {(numbers: Float32Array) => WebGLBuffer} keep
   * @returns {Draw}
   */
  arrowsOf(element, d, keep) {
    const [tails, tips] = [element.tails ?? new Float32Array(0), element.tips ?? new Float32Array(0)];
    const [n, color, width] = [tails.length / d, element.color ?? [0, 0, 0, 1], element.width ?? [1]];
    const numbers = new Float32Array(11 * n);
    for (let k = 0; k < n; k++) {
      for (let c = 0; c < d; c++) {
        numbers[11 * k + c] = tails[d * k + c];
        numbers[11 * k + 3 + c] = tips[d * k + c];
      }
      for (let c = 0; c < 4; c++) numbers[11 * k + 6 + c] = color[(color.length > 4 ? 4 * k : 0) + c];
      numbers[11 * k + 10] = (element.fixed ? -1 : 1) * width[width.length > 1 ? k : 0];
    }
    if (!n) return () => {};
    const buffer = keep(numbers);
    return () => {
      const gl = this.gl;
      const { at } = this.use("ARROWS");
      gl.uniform1f(at.meter, this.meter);
      gl.uniform1f(at.strength, this.strength);
      this.attribute(0, this.arrow, 2);
      [
        [1, 3, 0],
        [2, 3, 3],
        [3, 4, 6],
        [4, 1, 10],
      ].forEach(([location, size, offset]) => this.attribute(location, buffer, size, 11, offset, 1));
      this.haloed(at, () => gl.drawArraysInstanced(gl.TRIANGLES, 0, ARROW.length / 2, n));
    };
  }

  /**
   * @param {Element} element
   * @param {number} d
   * @param {(numbers: Float32Array) => WebGLBuffer} keep
   * @returns {Draw}
   */
  marksOf(element, d, keep) {
    const position = element.position ?? new Float32Array(0);
    const n = position.length / d;
    if (!n) return () => {};
    const sizes = element.size ?? new Float32Array([6]);
    const [places, size] = [keep(position), keep(sizes.length === n ? sizes : new Float32Array(n).fill(sizes[0]))];
    return () => {
      const gl = this.gl;
      const { at } = this.use("MARKS");
      gl.uniform3fv(at.color, Array.from(element.color ?? [0, 0, 0]).slice(0, 3));
      gl.uniform1i(at.shape, SHAPES.indexOf(element.shape ?? "dot"));
      gl.uniform1f(at.halo, this.halo * (this.ratio ?? 1));
      gl.uniform1f(at.strength, this.strength);
      this.attribute(0, this.square, 2);
      this.attribute(1, places, d, 0, 0, 1);
      this.attribute(2, size, 1, 0, 0, 1);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, n);
    };
  }

  /**
   * @param {Element} element
   * @param {(numbers: Float32Array) => WebGLBuffer} keep
   * @returns {Draw}
   */
  meshOf(element, keep) {
    const triangles = element.triangles ?? new Float32Array(0);
    if (!triangles.length) return () => {};
    const [places, normals] = [keep(triangles), keep(normalsOf(triangles))];
    const land = ["ground", "region on land"].some((name) => this.isTone(name, element.color ?? []));
    return () => {
      const gl = this.gl;
      const { at } = this.use("TRIANGLES");
      gl.uniform3fv(at.color, element.color ?? [0.8, 0.8, 0.8]);
      if (land) this.woven("meadow");
      gl.uniform1f(at.tile, land ? LAWN / stepOf(MESH * /** @type {any} */ (this.camera).reach) : 0);
      gl.uniform1f(at.weave, this.weave);
      this.depth(true);
      this.nearer(Boolean(element.plain));
      this.attribute(0, places, 3);
      this.attribute(1, normals, 3);
      gl.drawArrays(gl.TRIANGLES, 0, triangles.length / 3);
      this.nearer(false);
    };
  }

  /**
   * Balls that stay where they are.
   * @param {Element} element
   * @param {number} d
   * @param {(numbers: Float32Array) => WebGLBuffer} keep
   * @returns {Draw}
   */
  glyphsOf(element, d, keep) {
    const [position, size] = [element.position ?? new Float32Array(0), element.size ?? new Float32Array(0)];
    if (!size.length) return () => {};
    const bodies = {
      position: keep(position),
      forward: null,
      up: null,
      size: keep(size),
      value: null,
      n: size.length,
      d,
    };
    const look = {
      shape: element.shape ?? "ball",
      color: Array.from(element.color ?? [0.8, 0.8, 0.8]),
      colored: /** @type {"" | "ramp"} */ (""),
    };
    return () => {
      this.depth(true);
      this.nearer(Boolean(element.plain));
      this.bodies(bodies, bodies, look, 1);
      this.nearer(false);
    };
  }

  // ---------------------------------------------------------------------------------------------- bodies

  /**
   * Draw bodies between two frames.
   * @param {GpuBodies} before
   * @param {GpuBodies} after
   * @param {{shape: string, color: number[], colored: "" | keyof typeof TABLES}} look its color is that of the paper there is
   * @param {number} part how far it is from the one to the other
   * @param {{period?: number[], rim?: number[], ground?: number, opacity?: number, veil?: number[]}} [about]
   */
  bodies(before, after, look, part, about = {}) {
    const gl = this.gl;
    const { at } = this.use("BODIES");
    const { period = [0, 0, 0], rim = [0, 0, 0, 0], ground = 0, opacity = 1, veil = [0, 0, 0, 0] } = about;
    const shape = this.shape(look.shape);
    this.attribute(0, shape.buffer, 3, 6, 0);
    this.attribute(1, shape.buffer, 3, 6, 3);
    gl.uniform1f(at.part, part);
    gl.uniform3fv(at.period, period);
    gl.uniform3fv(
      at.frequency,
      period.map((each) => (each ? 1 / each : 0)),
    );
    gl.uniform3fv(at.color, look.color);
    const colored = after.value ? look.colored : "";
    gl.uniform1f(at.colored, ["", "ramp", "number", "wheel"].indexOf(colored));
    if (colored) {
      const table = TABLES[colored].map((color) => this.shown(color));
      gl.uniform3fv(at["table[0]"], table.flat());
      gl.uniform1i(at.count, table.length);
    }
    gl.uniform4fv(at.rim, rim);
    gl.uniform1f(at.ground, ground);
    gl.uniform1f(at.opacity, opacity);
    gl.uniform4fv(at.veil, veil);
    /** @type {[number, WebGLBuffer | null, number[]][]} */
    const vectors = [
      [2, before.position, [0, 0, 0]],
      [3, after.position, [0, 0, 0]],
      [4, before.forward, [1, 0, 0]],
      [5, after.forward, [1, 0, 0]],
      [6, before.up, [0, 0, 1]],
      [7, after.up, [0, 0, 1]],
    ];
    for (const [location, buffer, otherwise] of vectors) {
      if (buffer) this.attribute(location, buffer, after.d, 0, 0, 1);
      else gl.vertexAttrib3f(location, otherwise[0], otherwise[1], otherwise[2]);
    }
    this.attribute(8, after.size, 1, 0, 0, 1);
    if (after.value) this.attribute(9, after.value, 1, 0, 0, 1);
    if (after.axis && look.shape === "ball") this.attribute(10, after.axis, 1, 0, 0, 1);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, shape.corners, after.n);
  }

  /**
   * The shadows of bodies, each place of the picture once; see `bodies`.
   * @param {Parameters<Painter["bodies"]>} what
   */
  shadow(...what) {
    const gl = this.gl;
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.depthMask(false);
    this.nearer(!this.flat);
    this.bodies(...what);
    this.nearer(false);
    gl.depthMask(true);
    gl.disable(gl.STENCIL_TEST);
    gl.clear(gl.STENCIL_BUFFER_BIT);
  }

  /**
   * The shapes that vehicles of a scene have.
   * @param {Record<string, Float32Array>} glyphs
   */
  adopt(glyphs) {
    Object.values(this.shapes).forEach(({ buffer }) => this.gl.deleteBuffer(buffer));
    this.shapes = {};
    this.glyphs = glyphs;
  }

  /** @param {string} name */
  shape(name) {
    const key = `${name} ${this.flat}`;
    if (!(key in this.shapes)) {
      const known = this.glyphs[name];
      const corners = known ? glyph(known, !this.flat) : this.flat ? DISC : BALL;
      this.shapes[key] = { buffer: this.buffer(corners), corners: corners.length / 6 };
    }
    return this.shapes[key];
  }
}

/**
 * Bodies on the graphics card.
 * @typedef {object} GpuBodies
 * @property {WebGLBuffer} position
 * @property {WebGLBuffer | null} forward
 * @property {WebGLBuffer | null} up
 * @property {WebGLBuffer} size
 * @property {WebGLBuffer | null} [width]
 * @property {WebGLBuffer | null} [axis]
 * @property {WebGLBuffer | null} value
 * @property {number} n
 * @property {number} d
 */

/** Numbers of a piece of a line: from (3), to (3), color (4), width, length before it. */
export const PIECE = 12;

/**
 * Lines, or the edges of areas, as pieces.
 * @param {Element} element
 * @param {number} d
 * @param {boolean} closed
 * @param {{wider: number, opacity: number}} [look] of edges: how much wider they are [points]
 */
function segments(element, d, closed, { wider, opacity } = SHARP) {
  const [points, counts] = [element.points ?? new Float32Array(0), element.counts ?? []];
  const color = closed ? [...(element.edge ?? []), opacity] : (element.color ?? [0, 0, 0, 1]);
  const width = element.width ?? [1];
  const total = counts.reduce((sum, count) => sum + Math.max(closed ? count : count - 1, 0), 0);
  const pieces = new Float32Array(PIECE * total);
  let [first, at] = [0, 0];
  counts.forEach((count, line) => {
    let start = 0;
    for (let k = 0; k < (closed ? count : count - 1); k++) {
      let far = 0;
      for (let c = 0; c < d; c++) {
        const [a, b] = [points[d * (first + k) + c], points[d * (first + ((k + 1) % count)) + c]];
        pieces[at + c] = a;
        pieces[at + 3 + c] = b;
        far += (b - a) ** 2;
      }
      for (let c = 0; c < 4; c++) pieces[at + 6 + c] = color[(color.length > 4 ? 4 * line : 0) + c];
      pieces[at + 10] = width[width.length > 1 ? line : 0] + wider;
      pieces[at + 11] = start;
      start += Math.sqrt(far);
      at += PIECE;
    }
    first += count;
  });
  return pieces;
}

/**
 * How high the first area of some in the plane is [m].
 * @param {Element} element
 */
function heightOf({ points = new Float32Array(0), counts = [] }) {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 1; k < 2 * (counts[0] ?? 0); k += 2) {
    low = Math.min(low, points[k]);
    high = Math.max(high, points[k]);
  }
  return high - low;
}

/**
 * Rings as fans of triangles.
 * @param {Element} element
 * @param {number} d
 */
function fansOf(element, d) {
  const [points, counts] = [element.points ?? new Float32Array(0), element.counts ?? []];
  /** @type {number[]} */
  const fans = [];
  let first = 0;
  for (const count of counts) {
    for (let k = 1; k < count - 1; k++) {
      for (const corner of [0, k, k + 1]) fans.push(...points.subarray(d * (first + corner), d * (first + corner + 1)));
    }
    first += count;
  }
  return new Float32Array(fans);
}
