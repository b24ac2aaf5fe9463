// The timeline: the same one for a live simulation and for a recording: any instant, marks of events, a span that repeats.

import { button, byId, html, short } from "./controls.js";
import { around } from "./frames.js";

/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {[number, number, string, string]} Event number of steps, time [s], kind and words */

/** What the button of a span says: nothing is repeated, its end is asked for, it is repeated. */
const LOOP = [
  ["Loop", "Repeat a span: press here at its start (l)"],
  ["to here", "Press here at the end of the span to repeat (l)"],
  ["End loop", "Repeat it no more (l)"],
];

export class Timeline {
  /**
   * @param {import("./stage.js").Stage} stage
   * @param {() => Frame[]} frames those that are kept
   * @param {object} hooks
   * @param {(time: number) => void} hooks.scrub called while it is dragged
   * @param {(time: number) => void} hooks.settle called with the time to stay at
   * @param {(looping: boolean) => void} [hooks.looped] called when a span begins to be repeated, and when it ends
   */
  constructor(stage, frames, { scrub, settle, looped = () => {} }) {
    this.stage = stage;
    this.frames = frames;
    this.settle = settle;
    this.looped = looped;
    /** @type {Event[]} */
    this.events = [];
    /** The span that is repeated, or its start. @type {number[]} */
    this.span = [];
    this.start = this.end = 0;
    this.drawn = "";
    this.line = html("input", {
      type: "range",
      min: "0",
      max: "1",
      step: "any",
      value: "1",
      id: "timeline",
      ariaLabel: "Time",
      title: "The time: drag it to any instant",
    });
    this.line.addEventListener("input", () => scrub(Number(this.line.value)));
    this.line.addEventListener("change", () => settle(Number(this.line.value)));
    this.marks = html("div", { className: "marks" });
    this.loop = button(LOOP[0][0], LOOP[0][1], () => this.toggle());
    byId("time").replaceChildren(html("div", { className: "line" }, this.line, this.marks), this.loop);
  }

  /**
   * How far it reaches, and where it is.
   * @param {number} start
   * @param {number} end
   * @param {number} now
   */
  reach(start, end, now) {
    [this.start, this.end] = [start, end];
    Object.assign(this.line, { min: String(start), max: String(end) });
    if (!this.line.matches(":active")) this.line.value = String(now);
    this.line.setAttribute("aria-valuetext", `${now.toFixed(1)} s of ${start.toFixed(1)} to ${end.toFixed(1)} s`);
    this.mark();
  }

  /** @param {Event[]} events */
  tell(events) {
    this.events = events;
    this.mark();
  }

  /** Draw the marks, where they have changed. */
  mark() {
    const { start, end, span } = this;
    const all = this.events.filter(([, time]) => time >= start && time <= end);
    const key = JSON.stringify([start.toFixed(1), end.toFixed(1), all.length, all.at(-1), span]);
    if (key === this.drawn) return;
    this.drawn = key;
    const at = (/** @type {number} */ time) => `${(100 * (time - start)) / (end - start || 1)}%`;
    const marks = all.map(([, time, kind, words]) => {
      const ariaLabel = `${short(time)} s: ${words}`;
      const about = { className: `mark ${kind}`, ariaLabel, tabIndex: -1, style: { left: at(time) } };
      return button("", ariaLabel, () => this.settle(time), about);
    });
    const [from, to] = span;
    const style = { left: at(from), width: `calc(${at(to ?? from)} - ${at(from)})` };
    this.marks.replaceChildren(...(span.length ? [html("i", { className: "span", style })] : []), ...marks);
  }

  /** The next event, or the one before. @param {number} by @returns {Event | undefined} */
  next(by) {
    return nextEvent(this.events, Number(this.line.value), by);
  }

  /** Show the instant of a time, as far as it is kept; returns the frame before it. @param {number} time */
  show(time) {
    const frames = this.frames();
    if (!frames.length) return null;
    const [before, after, part] = around(frames, time);
    this.stage.stand(before, after, part);
    byId("clock").textContent = `t = ${time.toFixed(1)} s`;
    if (!this.line.matches(":active")) this.line.value = String(time);
    return before;
  }

  /** Begin a span, end it, or repeat it no more. */
  toggle() {
    const now = Number(this.line.value);
    if (this.span.length === 1 && Math.abs(now - this.span[0]) > 0.05) {
      this.span = [Math.min(now, this.span[0]), Math.max(now, this.span[0])];
      this.looped(true);
    } else if (this.span.length) {
      const was = this.span.length;
      this.span = [];
      if (was === 2) this.looped(false);
    } else this.span = [now];
    this.say();
  }

  /** Repeat nothing. */
  clear() {
    if (this.span.length) this.span = [];
    this.say();
  }

  say() {
    [this.loop.textContent, this.loop.title] = LOOP[this.span.length];
    this.mark();
  }

  /** The time after some time has passed, in the span that is repeated. @param {number} time */
  within(time) {
    const [from, to] = this.span;
    return to === undefined || (time >= from && time < to) ? time : from;
  }
}

/**
 * The event after a time, or before it.
 * @param {Event[]} events in the order of time
 * @param {number} now [s]
 * @param {number} by 1 for the next one, -1 for the one before
 * @returns {Event | undefined}
 */
export function nextEvent(events, now, by) {
  const there = events.filter(([, time]) => (by > 0 ? time > now + 1e-3 : time < now - 1e-3));
  return by > 0 ? there[0] : there.at(-1);
}
