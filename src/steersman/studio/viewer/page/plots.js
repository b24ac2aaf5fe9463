// Plots: meters over time, each as a small line.

import { html, section, short } from "./controls.js";
import { page } from "./root.js";

const MOST = 600; // Readings that are kept of a meter.

export class Plots {
  constructor() {
    this.inside = section("Meters", true);
    const parent = this.inside.parentElement;
    this.box = /** @type {HTMLDetailsElement} */ (parent);
    this.clear();
    page.darkness(() => this.meters?.forEach(({ canvas, points }) => line(canvas, points)));
  }

  clear() {
    /** @type {Map<string, {points: [number, number][], canvas: HTMLCanvasElement, now: HTMLOutputElement}>} */
    this.meters = new Map();
    this.inside.replaceChildren();
    this.box.hidden = true;
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
    const lines = words.map((each) => html("p", { className: wrong ? "hint wrong" : "hint", textContent: each }));
    if (touched !== null) {
      const why = `What was done: ${deeds.join(", ")}. The check knows the scenario as it was made.`;
      lines.push(html("p", { className: "hint", textContent: why }));
    }
    this.box.hidden = false;
    this.inside.prepend(...lines);
  }

  /** @param {{time: number, meters: Record<string, [string, number | null]>}} told */
  show({ time, meters }) {
    this.box.hidden = false;
    for (const [label, [unit, value]] of Object.entries(meters)) {
      let meter = this.meters?.get(label);
      if (!meter) {
        const [now, canvas] = [html("output"), html("canvas", { className: "plot", title: label })];
        this.inside.append(html("div", { className: "meter" }, label, now), canvas);
        meter = { points: [], canvas, now };
        this.meters?.set(label, meter);
      }
      if (value === null) continue;
      if ((meter.points.at(-1)?.[0] ?? time) > time) meter.points = [];
      if ((meter.points.at(-1)?.[0] ?? -Infinity) < time) meter.points.push([time, value]);
      if (meter.points.length > MOST) meter.points = meter.points.filter((_, k) => k % 2 === 0);
      const most = meter.points.reduce((size, [, each]) => Math.max(size, Math.abs(each)), 0);
      meter.now.textContent = `${short(value, most)} ${unit}`;
      if (this.box.open) line(meter.canvas, meter.points);
    }
  }
}

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
  const values = points.map(([, value]) => value);
  let [low, high] = [Math.min(...values), Math.max(...values)];
  const half = 0.05 * Math.max(-low, high) || 0.5; // What does not change lies in the middle.
  if (high - low < 1e-9 * half) [low, high] = [low - half, high + half];
  pen.font = "10px system-ui, sans-serif";
  const ends = [low, high].map((each) => short(each, Math.max(-low, high)));
  const room = Math.ceil(Math.max(...ends.map((each) => pen.measureText(each).width))) + 8; // No number is cut off.
  const [start, end] = [points[0][0], Math.max(points[points.length - 1][0], points[0][0] + 1e-6)];
  const x = (/** @type {number} */ time) => room + ((time - start) / (end - start)) * (width - room - 4);
  const y = (/** @type {number} */ value) => 6 + (1 - (value - low) / (high - low)) * (height - 12);
  pen.strokeStyle = style.getPropertyValue("--line");
  pen.strokeRect(room + 0.5, 3.5, width - room - 4, height - 7);
  pen.fillStyle = style.getPropertyValue("--faint");
  pen.textAlign = "right";
  pen.fillText(ends[1], room - 4, 12);
  pen.fillText(ends[0], room - 4, height - 4);
  pen.strokeStyle = style.getPropertyValue("--accent");
  pen.lineWidth = 1.6;
  pen.beginPath();
  points.forEach(([time, value], k) => (k ? pen.lineTo(x(time), y(value)) : pen.moveTo(x(time), y(value))));
  pen.stroke();
}
