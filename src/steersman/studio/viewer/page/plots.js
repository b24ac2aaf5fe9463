// Plots: meters over time, each as a small line.

import { button, download, hint, html, section, short } from "./controls.js";
import { page } from "./root.js";

const MOST = 600; // Readings that are kept of a meter.
const HEAD = 22; // Room for the name above a plot that is saved [pixels of CSS].
const STEADY = 1e-4; // What changes less, beside its size, does so by rounding.

export class Plots {
  constructor() {
    this.inside = section("Meters", false);
    const parent = this.inside.parentElement;
    this.box = /** @type {HTMLDetailsElement} */ (parent);
    this.clear();
    const draw = () => this.meters?.forEach(({ canvas, points }) => line(canvas, points));
    page.darkness(draw);
    new ResizeObserver(draw).observe(this.box); // It is unfolded, say.
  }

  clear() {
    /** @type {Map<string, {points: [number, number][], canvas: HTMLCanvasElement, now: HTMLOutputElement, unit: string}>} */
    this.meters = new Map();
    this.verdict = html("div");
    const table = button("CSV", "Save the readings of all meters as a table", () =>
      download([tableOf(this.meters ?? new Map())], "meters.csv", "text/csv"),
    );
    const picture = button("PNG", "Save all plots as one picture", () =>
      download(this.sheet().toDataURL("image/png"), "meters.png"),
    );
    const drawing = button("SVG", "Save all plots as lines and words that can be edited", () => {
      const style = getComputedStyle(this.inside);
      const text = svgOf(this.meters ?? new Map(), (name) => style.getPropertyValue(name).trim());
      download([text], "meters.svg", "image/svg+xml");
    });
    this.buttons = html("div", { className: "buttons" }, table, picture, drawing);
    this.inside.replaceChildren(this.verdict, this.buttons);
    this.box.hidden = true;
  }

  /** All plots below each other: of several files at once, browsers save the first one. */
  sheet() {
    const all = [...(this.meters ?? [])];
    const ratio = window.devicePixelRatio || 1;
    const above = Math.round(HEAD * ratio);
    const size = (/** @type {"width" | "height"} */ way) => all.map(([, { canvas }]) => canvas[way]);
    const [width, height] = [
      Math.max(1, ...size("width")),
      size("height").reduce((sum, each) => sum + each + above, 0),
    ];
    const sheet = html("canvas", { width, height: Math.max(1, height) });
    const pen = /** @type {CanvasRenderingContext2D} */ (sheet.getContext("2d"));
    const style = getComputedStyle(this.inside);
    pen.fillStyle = style.getPropertyValue("--card");
    pen.fillRect(0, 0, width, height);
    pen.fillStyle = style.getPropertyValue("--ink");
    pen.font = `${12 * ratio}px system-ui, sans-serif`;
    let top = 0;
    for (const [label, { canvas, unit }] of all) {
      pen.fillText(unit ? `${label} [${unit}]` : label, 6 * ratio, top + 0.75 * above);
      pen.drawImage(canvas, 0, top + above);
      top += above + canvas.height;
    }
    return sheet;
  }

  /**
   * What the scenario's check says of the run.
   * @param {{problems: string[], unknown: string, touched: number | null, deeds: string[]}} told
   */
  judge({ problems, unknown, touched, deeds }) {
    const wrong = unknown !== "" || problems.length > 0;
    const outcome = unknown ? `cannot say: ${unknown}` : problems.length ? "failed:" : "passed.";
    const words = [touched === null ? `The check ${outcome}` : `Touched at ${short(touched)} s: the check ${outcome}`];
    words.push(...problems);
    const lines = words.map((each) => hint(each, wrong ? { className: "hint wrong" } : {}));
    if (touched !== null) {
      const why = `What was done: ${deeds.join(", ")}. The check knows the scenario as it was made.`;
      lines.push(hint(why));
    }
    this.box.hidden = false;
    this.verdict?.replaceChildren(...lines);
  }

  /** @param {{time: number, meters: Record<string, [string, number | null, string]>}} told */
  show({ time, meters }) {
    this.box.hidden = false;
    for (const [label, entry] of Object.entries(meters)) {
      const [unit, value, title] = entry;
      let meter = this.meters?.get(label);
      if (!meter) {
        const [now, canvas] = [html("output"), html("canvas", { className: "plot", title: label })];
        const words = title || label.slice(label.indexOf(".") + 1).replaceAll("_", " ");
        const name = html("b", { textContent: `${words[0].toUpperCase()}${words.slice(1)}` });
        this.buttons?.before(html("div", { className: "meter" }, html("span", {}, name, label), now), canvas);
        meter = { points: [], canvas, now, unit };
        this.meters?.set(label, meter);
      }
      meter.now.textContent = "\u2013";
      if (value === null) continue;
      meter.points = readingsWith(meter.points, time, value);
      const most = meter.points.reduce((size, [, each]) => Math.max(size, Math.abs(each)), 0);
      meter.now.textContent = `${short(value, most)} ${unit}`;
      if (this.box.open) line(meter.canvas, meter.points);
    }
  }
}

/**
 * The readings of a meter with another one. Those after it are of a run that is not gone on with.
 * @param {[number, number][]} points time and value, in the order of time
 * @param {number} time
 * @param {number} value
 * @returns {[number, number][]}
 */
export function readingsWith(points, time, value) {
  const last = points.at(-1)?.[0] ?? -Infinity;
  const earlier = last < time ? points : points.filter(([each]) => each < time);
  earlier.push([time, value]);
  return earlier.length > MOST ? earlier.filter((_, k) => k % 2 === 0) : earlier;
}

/**
 * What the axis of a meter shows: what does not change, but for rounding, lies in the middle.
 * @param {number[]} values
 * @returns {[number, number]}
 */
export function rangeOf(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const size = Math.max(-low, high);
  if (high - low > STEADY * size) return [low, high];
  const half = 0.05 * size || 0.5;
  return [(low + high) / 2 - half, (low + high) / 2 + half];
}

/**
 * Round numbers between two others, four or so.
 * @param {number} low
 * @param {number} high
 */
export function ticksOf(low, high) {
  const wanted = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = power * ([1, 2, 5, 10].find((k) => k * power >= wanted) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, k) => (first + k) * step);
}

/**
 * Readings as a table for other programs: the time, and a column for each meter.
 * @param {Map<string, {points: [number, number][], unit: string}>} meters
 */
export function tableOf(meters) {
  const times = [...new Set([...meters.values()].flatMap(({ points }) => points.map(([time]) => time)))];
  const columns = [...meters.values()].map(({ points }) => new Map(points));
  const quoted = (/** @type {string} */ word) => (/[",\n]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word);
  const head = ["time [s]", ...[...meters].map(([label, { unit }]) => quoted(unit ? `${label} [${unit}]` : label))];
  const rows = times.sort((a, b) => a - b).map((time) => [time, ...columns.map((each) => each.get(time) ?? "")]);
  return [head, ...rows].map((row) => `${row.join(",")}\n`).join("");
}

const [LEFT, RIGHT, TOP, BOTTOM] = [38, 6, 5, 15]; // Room for the axes [pixels of CSS].

/**
 * @param {HTMLCanvasElement} canvas
 * @param {[number, number][]} points
 */
function line(canvas, points) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (!width || !points.length) return;
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down]; // Makes new pixels.
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  plotted(pen, [width, height], points, (name) => style.getPropertyValue(name));
}

/**
 * A plot, by a pen of a canvas or one that writes.
 * @param {CanvasRenderingContext2D | SvgPen} pen
 * @param {[number, number]} size
 * @param {[number, number][]} points
 * @param {(name: string) => string} shade
 */
function plotted(pen, [width, height], points, shade) {
  const [low, high] = rangeOf(points.map(([, value]) => value));
  const [start, end] = [points[0][0], Math.max(points[points.length - 1][0], points[0][0] + 1e-6)];
  pen.font = "10px system-ui, sans-serif";
  const words = ticksOf(low, high).map((value) => pen.measureText(String(Number(value.toPrecision(6)))).width);
  const left = Math.max(LEFT, Math.ceil(Math.max(...words)) + 8); // No number is cut off.
  const x = (/** @type {number} */ time) => left + ((time - start) / (end - start)) * (width - left - RIGHT);
  const y = (/** @type {number} */ value) => TOP + (1 - (value - low) / (high - low)) * (height - TOP - BOTTOM);
  pen.strokeStyle = shade("--line");
  pen.strokeRect(left + 0.5, TOP - 1.5, width - left - RIGHT, height - TOP - BOTTOM + 3);
  pen.fillStyle = shade("--faint");
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const mark = (/** @type {number[]} */ from, /** @type {number[]} */ to) => {
    pen.beginPath();
    pen.moveTo(from[0], from[1]);
    pen.lineTo(to[0], to[1]);
    pen.stroke();
  };
  for (const value of ticksOf(low, high)) {
    pen.fillText(String(Number(value.toPrecision(6))), left - 4, y(value));
    mark([left, y(value)], [width - RIGHT, y(value)]);
  }
  pen.textBaseline = "alphabetic";
  pen.textAlign = "center";
  for (const time of end - start > 1e-3 ? ticksOf(start, end) : []) {
    pen.fillText(`${Number(time.toPrecision(6))} s`, Math.min(Math.max(x(time), left + 8), width - 14), height - 2);
    mark([x(time), height - BOTTOM + 1], [x(time), height - BOTTOM + 4]);
  }
  pen.strokeStyle = shade("--accent");
  pen.lineWidth = 1.6;
  pen.beginPath();
  points.forEach(([time, value], k) => (k ? pen.lineTo(x(time), y(value)) : pen.moveTo(x(time), y(value))));
  pen.stroke();
}

/** A pen that writes SVG, for what a plot draws. */
export class SvgPen {
  constructor() {
    /** @type {string[]} */
    this.parts = [];
    this.strokeStyle = this.fillStyle = "#000";
    this.font = "10px";
    this.textAlign = this.textBaseline = this.path = "";
    this.lineWidth = 1;
  }

  /** How wide a text is, about. @param {string} text */
  measureText(text) {
    return { width: 6 * text.length };
  }

  beginPath() {
    this.path = "";
  }

  /** @param {number} x @param {number} y @param {string} [how] */
  moveTo(x, y, how = "M") {
    this.path += `${how}${Number(x.toFixed(2))} ${Number(y.toFixed(2))}`;
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.moveTo(x, y, "L");
  }

  stroke() {
    this.parts.push(
      `<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"/>`,
    );
  }

  /** @param {number} x @param {number} y @param {number} wide @param {number} high */
  strokeRect(x, y, wide, high) {
    this.path = `M${x} ${y}h${wide}v${high}h${-wide}z`;
    this.stroke();
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const anchor = this.textAlign === "right" ? "end" : this.textAlign === "center" ? "middle" : "start";
    const lower = this.textBaseline === "middle" ? y + 3.5 : y;
    const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const about = `text-anchor="${anchor}" fill="${this.fillStyle}" font-size="${parseFloat(this.font)}"`;
    this.parts.push(`<text x="${x.toFixed(2)}" y="${lower.toFixed(2)}" ${about}>${escaped}</text>`);
  }
}

const SHEET = [480, 160]; // A plot of an SVG.

/**
 * Plots below each other, as lines that other programs can change.
 * @param {Map<string, {points: [number, number][], unit: string}>} meters
 * @param {(name: string) => string} shade
 */
export function svgOf(meters, shade) {
  const [width, height] = SHEET;
  const all = [...meters].filter(([, { points }]) => points.length);
  const parts = all.map(([label, { points, unit }], k) => {
    const pen = new SvgPen();
    [pen.font, pen.fillStyle] = ["12px", shade("--ink")];
    pen.fillText(unit ? `${label} [${unit}]` : label, 6, -6);
    plotted(pen, [width, height], points, shade);
    return `<g transform="translate(0 ${k * (height + HEAD) + HEAD})">${pen.parts.join("")}</g>`;
  });
  const box = `0 0 ${width} ${all.length * (height + HEAD)}`;
  const paper = `<rect width="100%" height="100%" fill="${shade("--card")}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" font-family="sans-serif">${paper}${parts.join("\n")}</svg>`;
}
