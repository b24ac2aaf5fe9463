// Timings: how long a step takes, and which part of it each phase; measured while this is open, and not otherwise.

import { hint, html, section, short } from "./controls.js";

/** What the phases are, in order. @type {Record<string, string>} */
const PHASES = {
  begin: "Clocks are set, columns are checked",
  look: "Neighbors are found",
  steer: "Forces are put together, velocities proposed",
  move: "Vehicles move",
  after: "Flows let vehicles come and go, observers are called",
};

export class Timings {
  /** @param {() => void} changed called when it is opened or closed */
  constructor(changed) {
    this.pace = hint("", { title: "How fast the simulation runs, and how many frames arrive" });
    this.list = html("div");
    const inside = section("Time", false, this.pace, this.list);
    this.box = /** @type {HTMLDetailsElement} */ (inside.parentElement);
    this.box.title = "While this is open, the phases of the steps are timed";
    this.box.addEventListener("toggle", changed);
    this.show({ steps: 0, phases: {} });
  }

  /** Whether steps are to be timed. */
  get wanted() {
    return this.box.open;
  }

  /**
   * How fast it runs.
   * @param {number | undefined} steps a second
   * @param {number} interval between frames [ms]
   */
  runs(steps, interval) {
    this.pace.textContent = `${steps} steps a second, ${Math.round(1000 / interval)} frames a second from Python`;
  }

  /** @param {{steps: number, phases: Record<string, number>, problem?: string}} told times in milliseconds */
  show({ steps, phases, problem }) {
    if (problem || !steps) {
      if (this.list.childElementCount && !problem) return; // It stands still; what was measured last stays.
      this.list.replaceChildren(hint(problem ?? "Let it run, to see where the time goes."));
      return;
    }
    const total = Object.values(phases).reduce((sum, each) => sum + each, 0) || 1;
    const rows = Object.entries(phases).map(([phase, time]) => {
      const share = Math.round((100 * time) / total);
      const bar = html("i", { style: { width: `${share}%` } });
      return html(
        "li",
        { title: PHASES[phase] ?? "" },
        phase,
        html("span", { className: "force", textContent: `${short(time)} ms, ${share}%` }),
        html("span", { className: "bar" }, bar),
      );
    });
    this.list.replaceChildren(
      hint(`A step takes ${short(total)} ms.`),
      html("ul", { className: "why phases" }, ...rows),
    );
  }
}
