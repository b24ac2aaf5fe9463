// Colors of vehicles: what they mean, chosen in the panel, and the legend that says so.

import { hint, html, short } from "./controls.js";
import { colorOf, css, rampCss, wheelCss } from "./palette.js";

/** What the page knows by itself: name -> what it is. */
const OWN = {
  population: "Each population has a color of its own",
  speed: "How fast each is, of the most it can",
  heading: "Where each faces",
};

/** What it knows in the plane. */
const FLAT = { density: "How many are in a place: for crowds of which single ones cannot be seen" };

/**
 * Colors that Python tells.
 * @typedef {object} Told
 * @property {string} by
 * @property {string} [problem]
 * @property {number} [low]
 * @property {number} [high]
 * @property {string} [unit]
 * @property {Record<string, {ids: Uint32Array, values: Float32Array, names?: string[]}>} populations
 */

export class Colors {
  /**
   * @param {import("./stage.js").Stage} stage
   * @param {(() => void) | undefined} changed called when something else is chosen
   */
  constructor(stage, changed) {
    this.stage = stage;
    this.select = html("select", { title: "What the colors of vehicles mean" });
    this.select.id = "color-by";
    this.select.addEventListener("change", () => {
      stage.colorBy = this.select.value;
      this.forget();
      changed?.();
      stage.upload();
    });
    this.legend = html("div", { className: "meanings" });
    this.legend.id = "colors";
    this.offer({});
  }

  /** What is to be told, besides what the page knows; null for nothing. */
  get wanted() {
    return this.stage.colorBy in { ...OWN, ...FLAT } ? null : this.stage.colorBy;
  }

  /** What colors can mean in this world: name -> what it is. @param {Record<string, string>} more */
  offer(more) {
    const known = { ...OWN, ...(this.stage.scene?.dimensions === 2 ? FLAT : {}), ...more };
    const chosen = this.stage.colorBy in known ? this.stage.colorBy : "population";
    const options = Object.entries(known).map(([name, title]) =>
      html("option", { textContent: name, value: name, title, selected: name === chosen }),
    );
    this.select.replaceChildren(...options);
    this.stage.colorBy = chosen;
    this.forget();
  }

  /** Nothing is told yet. */
  forget() {
    this.stage.numbers = {};
    this.stage.byWord = false;
    const { colorBy } = this.stage;
    const shown =
      colorBy === "density"
        ? [this.ramp("few", "most", "crowd")]
        : colorBy === "speed"
          ? [this.ramp("0", "the most each can")]
          : colorBy === "heading"
            ? [wheel()]
            : [];
    this.legend.replaceChildren(...shown);
  }

  /** @param {Told} answer */
  heard(answer) {
    const { stage } = this;
    if (answer.by !== stage.colorBy) return;
    if (answer.problem) {
      this.legend.replaceChildren(hint(answer.problem));
      return;
    }
    const entries = Object.entries(answer.populations);
    const words = [...new Set(entries.flatMap(([, { names = [] }]) => names))];
    stage.byWord = answer.low === undefined;
    stage.numbers = Object.fromEntries(
      entries.map(([name, { ids, values, names }]) => [
        name,
        new Map(Array.from(ids, (id, k) => [id, names ? words.indexOf(names[values[k]]) : values[k]])),
      ]),
    );
    if (stage.byWord)
      this.legend.replaceChildren(...words.map((word, k) => meaning(word || "nobody", css(colorOf(k)))));
    else {
      const unit = answer.unit ? ` ${answer.unit}` : "";
      this.legend.replaceChildren(this.ramp(short(answer.low ?? 0), `${short(answer.high ?? 1)}${unit}`));
    }
    stage.upload();
  }

  /**
   * @param {string} low
   * @param {string} high
   * @param {"ramp" | "crowd"} [name]
   */
  ramp(low, high, name = "ramp") {
    const bar = html("i", { className: "ramp", style: { background: rampCss(name) } });
    return html("span", { className: "scale" }, low, bar, high);
  }
}

/** The colors of headings, as a wheel. */
const wheel = () =>
  html(
    "span",
    { className: "wheel", title: "The color of each is that of the way it faces" },
    ...["up", "left", "right", "down"].map((way) => html("b", { className: way, textContent: way })),
    html("i", { style: { background: wheelCss() } }),
  );

/**
 * @param {string} word
 * @param {string} background
 */
const meaning = (word, background) => html("span", {}, html("i", { className: "swatch", style: { background } }), word);
