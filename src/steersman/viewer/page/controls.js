// Controls: small pieces of HTML, and the bar below the picture: play, pause, step, reset, speed, seed, number.

import { page } from "./root.js";

/**
 * A piece of HTML.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [about] properties; `on` has listeners
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function html(tag, about = {}, ...children) {
  const made = document.createElement(tag);
  const { on = {}, style = {}, ...properties } = about;
  Object.assign(made, properties);
  Object.assign(made.style, style);
  for (const [event, listener] of Object.entries(on))
    made.addEventListener(event, /** @type {EventListener} */ (listener));
  made.append(...children);
  return made;
}

/**
 * The element of an id, which is there.
 * @param {string} id
 * @returns {HTMLElement}
 */
export const byId = (id) => /** @type {HTMLElement} */ (page.root.getElementById(id));

/**
 * A section of the panel that can be folded.
 * @param {string} title
 * @param {boolean} open
 * @param {...Node} children
 */
export function section(title, open, ...children) {
  const inside = html("div", {}, ...children);
  const made = html("details", { className: "section", open }, html("summary", { textContent: title }), inside);
  made.dataset.section = title.toLowerCase();
  byId("panel").append(made);
  return inside;
}

/**
 * A color for CSS.
 * @param {number[]} color
 */
export const css = (color) => `rgb(${color.map((part) => Math.round(255 * part)).join(" ")})`;

/**
 * A number in a few digits.
 * @param {number} value
 */
export const short = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(4))) : String(value));

/** Speeds that the slider has: 0.1 to 10, and as fast as it goes. @type {(number | "max")[]} */
export const SPEEDS = [0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, "max"];

/**
 * @typedef {object} Deed
 * @property {string} do what is to be done
 * @property {any} [value]
 * @property {number | null} [n]
 * @property {number | null} [seed]
 */

/**
 * The bar below the picture.
 * @param {(deed: Deed) => void} ask
 * @param {Node[]} more what else stands in it
 */
export function transport(ask, more) {
  let playing = false;
  const play = html("button", { className: "play", textContent: "Play", title: "Let it run, or stand still (space)" });
  play.addEventListener("click", () => ask({ do: playing ? "pause" : "play" }));
  const step = html("button", {
    textContent: "Step",
    title: "Make one step, and stand still (right arrow)",
    on: { click: () => ask({ do: "step" }) },
  });
  const reset = html("button", {
    textContent: "Reset",
    title: "Begin again; a seed or number that was typed is taken (r)",
  });
  reset.addEventListener("click", () => ask({ do: "reset" }));
  const speed = html("input", {
    type: "range",
    min: "0",
    max: String(SPEEDS.length - 1),
    step: "1",
    value: "5",
    title: "Speed: raising it lets more time pass a second; at the right end, as fast as it goes (+, -)",
  });
  const told = html("output", { textContent: "x1" });
  speed.id = "speed";
  speed.addEventListener("input", () => ask({ do: "speed", value: SPEEDS[Number(speed.value)] }));
  byId("transport").append(play, step, reset, html("label", {}, "Speed", speed, told), ...more);
  return {
    reset,
    speed,
    /** @param {{playing: boolean, speed: number | "max", again: boolean}} state */
    show(state) {
      playing = state.playing;
      play.textContent = playing ? "Pause" : "Play";
      reset.disabled = !state.again;
      if (!state.again) reset.title = "This world was made by a program, which alone can begin again";
      const nearest = SPEEDS.findIndex(
        (each) => each === "max" || (state.speed !== "max" && each >= state.speed - 1e-9),
      );
      if (page.root.activeElement !== speed || !speed.matches(":active"))
        speed.value = String(state.speed === "max" ? SPEEDS.length - 1 : nearest);
      told.textContent = state.speed === "max" ? "max" : `x${short(state.speed)}`;
    },
    toggle: () => play.click(),
    /** @param {number} by */
    faster(by) {
      speed.value = String(Number(speed.value) + by);
      speed.dispatchEvent(new Event("input"));
    },
  };
}

const KEYS = [
  ["space", "play or pause"],
  ["right arrow", "one step"],
  ["+ and -", "faster, slower"],
  ["r", "reset"],
  ["f", "see everything; follow the chosen vehicle"],
  ["escape", "choose nobody"],
  ["t", "trails on or off"],
  ["?", "this help"],
  ["drag, wheel", "2D: move and zoom; 3D: turn and come nearer, with shift: move"],
  ["click", "explain a vehicle; then drag it to put it elsewhere"],
  ["double click", "add a vehicle there"],
  ["delete", "take the chosen vehicle away"],
];

/** Show or hide what keys and mouse do. */
export function help() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("help"));
  if (dialog.open) return dialog.close();
  const rows = KEYS.map(([key, does]) =>
    html("tr", {}, html("td", {}, html("kbd", { textContent: key })), html("td", { textContent: does })),
  );
  const close = html("button", { textContent: "Close", title: "Close this help", on: { click: () => dialog.close() } });
  dialog.replaceChildren(html("table", {}, ...rows), close);
  return dialog.show();
}

/**
 * Keys of the whole page; not while somebody types.
 * @param {Record<string, () => void>} keys
 */
export function listen(keys) {
  page.root.addEventListener("keydown", (pressed) => {
    const event = /** @type {KeyboardEvent} */ (pressed);
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea")) return;
    if (event.key === " " && target.matches("button, summary")) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });
}

/**
 * The layers that can be switched on and off, and what colors mean.
 * @param {import("./stage.js").Stage} stage
 * @param {(by: string) => void} [recolor] called when colors are to mean something else; without it, decisions are not known
 */
export function layers(stage, recolor) {
  /** @type {[keyof typeof stage.layers, string, string][]} */
  const known = [
    ["trails", "Trails", "Where vehicles have been lately"],
    ["scenery", "Scenery", "Obstacles, paths, fields, regions"],
    ["grid", "Grid", "Lines of the plane, with their places in meters"],
    ["ids", "Ids", "The number of each vehicle"],
    [
      "why",
      "Forces of the clicked one",
      "What each behavior wants for the vehicle that was clicked, and what is kept of it",
    ],
    [
      "sketch",
      "What it looks at",
      "Fields of view, predicted places, feelers: what the behaviors of the vehicle that was clicked look at",
    ],
  ];
  const boxes = known.map(([name, label, title]) => {
    const box = html("input", { type: "checkbox", checked: stage.layers[name], id: `layer-${name}` });
    box.addEventListener("change", () => {
      stage.layers[name] = box.checked;
      stage.upload();
      stage.dirty = true;
    });
    return html("label", { title }, box, label);
  });
  const seconds = html("input", {
    type: "range",
    min: "0",
    max: "10",
    step: "0.25",
    value: "2",
    title: "How long trails are [s]: raising it shows more of the past",
  });
  seconds.addEventListener("input", () => {
    stage.trails.seconds = Number(seconds.value);
    stage.upload();
  });
  const color = html(
    "select",
    { title: "What the colors of vehicles mean" },
    ...["population", "speed", "heading", ...(recolor ? ["decision"] : [])].map((each) =>
      html("option", { textContent: each }),
    ),
  );
  color.addEventListener("change", () => {
    stage.colorBy = color.value;
    recolor?.(color.value);
    stage.upload();
  });
  color.id = "color-by";
  section(
    "Layers",
    false,
    html(
      "div",
      { className: "layers" },
      ...boxes,
      html("label", { title: seconds.title }, "Length of trails", seconds),
      html("label", { title: color.title }, "Color by", color),
      html("div", { className: "meanings", id: "colors" }),
    ),
  );
  return { trails: /** @type {HTMLInputElement} */ (byId("layer-trails")), seconds };
}

/**
 * Save the picture as a PNG.
 * @param {import("./stage.js").Stage} stage
 */
export function savePicture(stage) {
  stage.paint();
  download(stage.canvas.toDataURL("image/png"), `${stage.scene?.name || "world"}.png`);
}

/**
 * @param {string} address
 * @param {string} name
 */
export function download(address, name) {
  html("a", { href: address, download: name }).click();
}
