// Controls: small pieces of HTML, and the bar below the picture: play, pause, step, reset, speed, seed, number.

import { isSame } from "./frames.js";
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
 * A button.
 * @param {string} textContent
 * @param {string} title
 * @param {((event: Event) => unknown) | undefined} [click]
 * @param {Record<string, any>} [about]
 */
export const button = (textContent, title, click, about = {}) =>
  html("button", { textContent, title, on: click && { click }, ...about });

/** Words beside controls. @param {string} [textContent] @param {Record<string, any>} [about] */
export const hint = (textContent = "", about = {}) => html("p", { className: "hint", textContent, ...about });

/** How the lines of what has a meaning of its own look: circles, and dashes. @type {Record<string, string>} */
const LINES = {
  "how far it looks": "round",
  "neighbors and obstacles that count": "round",
  construction: "dashed",
  "predicted position": "dashed",
  "its course": "dashed",
};

/**
 * A meaning, with its color and its kind of line.
 * @param {string} color for CSS
 * @param {string} means in the words of the legend
 * @param {string} [text] what is written
 * @param {string} [plain] what that is, in plain words
 */
export function meaning(color, means, text = means, plain = "") {
  const swatch = html("i", { className: `swatch ${LINES[means] ?? ""}`, style: { color } });
  return html("span", {}, swatch, ...(plain ? [html("b", {}, text), `: ${plain}`] : [text]));
}

/**
 * The element of an id, which is there.
 * @param {string} id
 * @returns {HTMLElement}
 */
export const byId = (id) => /** @type {HTMLElement} */ (page.root.getElementById(id));

const OPENED = "steersman.opened"; // The name under which the browser remembers what was opened.

/** What was opened, and closed, by a hand. @returns {Record<string, boolean>} */
function opened() {
  try {
    return JSON.parse(window.localStorage.getItem(OPENED) ?? "{}");
  } catch {
    return {}; // A page may be allowed to remember nothing.
  }
}

/**
 * Something that can be folded, and is as it was left.
 * @param {string} title
 * @param {boolean} open whether it is at first
 * @param {...Node} children
 */
export function folded(title, open, ...children) {
  const name = title.toLowerCase();
  const summary = html("summary", { textContent: title });
  const made = html("details", { open: opened()[name] ?? open }, summary, ...children);
  summary.addEventListener("click", () => {
    try {
      window.localStorage.setItem(OPENED, JSON.stringify({ ...opened(), [name]: !made.open }));
    } catch {
      // It is not remembered.
    }
  });
  made.dataset.section = name;
  return made;
}

/**
 * A section of the panel.
 * @param {string} title
 * @param {boolean} open
 * @param {...Node} children
 */
export function section(title, open, ...children) {
  const inside = html("div", {}, ...children);
  const made = folded(title, open, inside);
  made.className = "section";
  byId("panel").append(made);
  return inside;
}

const NOTHING = 1e-4; // What is smaller beside the rest is rounding, and reads 0.

/**
 * A number that is read, in three digits, and all of those before the point.
 * @param {number} value
 * @param {number} [full] how large the others beside it are, or it may be
 */
export function short(value, full = 0) {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size < NOTHING * full) return "0";
  return String(size < 1000 ? Number(value.toPrecision(3)) : Math.round(value));
}

/**
 * A number that was given and can be typed over: as it is, but for what rounding adds.
 * @param {number} value
 */
export const exact = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(7))) : String(value));

const NARROW = 820; // As in the style sheet [pixels of CSS].

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
 * @param {import("./stage.js").Stage} stage
 * @param {(deed: Deed) => unknown} ask a promise, where the answer takes time
 * @param {Node[]} more what else stands in it
 * @param {"live" | "replay"} where
 * @param {Node[]} rare what is used rarely: in the panel where there is little room; of a live page, there anyway
 */
export function transport(stage, ask, more, where, rare) {
  let playing = false;
  let [wished, answered] = [0, 0]; // Numbers of wishes; until the last is answered, a state that comes may be older.
  /** @type {{playing: boolean, speed: number | "max", reset: boolean, reset_words?: string} | null} */
  let latest = null;
  /** Speed and play are what was wished last, or, when all is answered, what was told last. */
  const agree = () => {
    if (!latest || answered < wished) return;
    playing = latest.playing;
    const { speed: now } = latest;
    const nearest = SPEEDS.findIndex((each) => each === "max" || (now !== "max" && each >= now - 1e-9));
    if (page.root.activeElement !== speed || !speed.matches(":active"))
      speed.value = String(now === "max" ? SPEEDS.length - 1 : nearest);
  };
  const wish = async (/** @type {Deed} */ deed) => {
    const number = ++wished;
    await ask(deed);
    answered = Math.max(answered, number);
    agree();
  };
  const press = () => {
    wish({ do: playing ? "pause" : "play" });
    playing = !playing; // A second press, before the answer, means the other state.
  };
  const play = button("Play", "Let it run, or stand still (space)", press, { className: "play" });
  let busy = "";
  /** Nothing can be paused yet. @param {string} why what the button says then; "" when that is over */
  const prepare = (why) => {
    busy = why;
    play.disabled = step.disabled = Boolean(busy);
    play.textContent = busy || (latest?.playing ? "Pause" : "Play");
  };
  const arrow = (/** @type {string} */ side) => (where === "live" ? ` (${side} arrow)` : "");
  const asked = (/** @type {string} */ text, /** @type {string} */ deed, title = "") =>
    button(text, title, () => ask({ do: deed }));
  const back = asked("Back", "back", `One step back${arrow("left")}`);
  const step = asked("Step", "step", `Make one step, and stand still${arrow("right")}`);
  const reset = asked("Reset", "reset");
  const speed = html("input", {
    type: "range",
    min: "0",
    max: String(SPEEDS.length - 1),
    step: "1",
    value: "5",
    title: "Speed: raising it lets more time pass a second; at the right end, as fast as it goes (+, -)",
  });
  const pace = html("output", { textContent: "x1" });
  speed.id = "speed";
  speed.addEventListener("input", () => wish({ do: "speed", value: SPEEDS[Number(speed.value)] }));
  const question = button("?", "What keys and mouse do (?)", () => help(where));
  const bar = byId("transport");
  const always = where === "live" ? rare : [];
  const run = section("Run", bar.clientWidth <= NARROW, html("div", { className: "run" }, ...always));
  const last = where === "live" ? [] : rare;
  const often = html("span", { className: "often" }, html("label", {}, "Speed", speed, pace), ...more, ...last);
  bar.append(play, back, step, reset, often, html("span", { className: "wide" }), panelButton(stage), question);
  const arrange = () => {
    const narrow = bar.clientWidth <= NARROW;
    if (narrow === (often.parentElement === run)) return;
    if (narrow) run.append(often);
    else reset.after(often);
  };
  new ResizeObserver(arrange).observe(bar);
  if (where === "replay") run.parentElement?.classList.add("narrow");
  else prepare("Opening");
  back.disabled = where === "live"; // There is nothing yet to go back to.
  return {
    back,
    reset,
    speed,
    /** @param {{playing: boolean, speed: number | "max", reset: boolean, reset_words?: string}} state */
    show(state) {
      latest = { ...state };
      agree();
      prepare(busy);
      reset.disabled = !state.reset;
      reset.title = state.reset_words || "Begin again; a seed or number that was typed is taken (r)";
      pace.textContent = state.speed === "max" ? "max" : `x${short(state.speed)}`;
    },
    prepare,
    toggle: () => play.click(),
    /** @param {number} by */
    faster(by) {
      speed.value = String(Number(speed.value) + by);
      speed.dispatchEvent(new Event("input"));
    },
  };
}

/**
 * The button that shows or hides the panel, where there is no room for it beside the picture.
 * @param {import("./stage.js").Stage} stage
 */
function panelButton(stage) {
  const panel = byId("panel");
  const made = button(
    "Panel",
    "Show or hide the panel",
    () => {
      panel.hidden = false;
      stage.reveal = panel.classList.toggle("open"); // The picture has less room, and still the chosen vehicle in it.
      made.setAttribute("aria-expanded", String(stage.reveal));
    },
    { className: "narrow" },
  );
  return made;
}

/** Keys and gestures: what they do, and where they do it if not everywhere. @type {[string, string, ("live" | "replay")?][]} */
const KEYS = [
  ["space", "play or pause"],
  ["left and right arrow", "one step back, one step on", "live"],
  ["left and right arrow", "back and forth by a quarter of a second", "replay"],
  [", and .", "to the event before, to the next one: they are marked on the timeline"],
  ["l", "repeat a span: at its start, at its end, and once more to end it"],
  ["ctrl and z", "undo what was dragged, added, removed or changed; with y in place of z, do it again", "live"],
  ["+ and -", "faster, slower"],
  ["r", "begin again"],
  ["n and p", "choose the next, the previous vehicle"],
  ["f", "see everything; come near the chosen vehicle, and what it steers by"],
  ["shift and arrows", "move the picture; in 3D, go around"],
  ["page up and down", "come nearer, go away"],
  ["g", "a tour of what the chosen vehicle does: what it sees, wants and does", "live"],
  ["escape", "end the tour; choose no vehicle", "live"],
  ["escape", "choose no vehicle", "replay"],
  ["t", "trails on or off"],
  ["?", "this help"],
  ["drag, wheel", "2D: move and zoom; 3D: turn and come nearer, with shift: move"],
  [
    "drag a thing",
    "put an obstacle, or a point to head for, elsewhere; with shift, the picture is moved instead",
    "live",
  ],
  ["click", "explain a vehicle; then drag it to put it elsewhere", "live"],
  ["click", "explain a vehicle, or follow it where no reasons were recorded", "replay"],
  ["ctrl and arrows", "put the chosen vehicle a little aside", "live"],
  ["double click", "add a vehicle there", "live"],
  ["delete", "take the chosen vehicle away", "live"],
];

/**
 * Show or hide the keys and gestures.
 * @param {"live" | "replay"} where
 */
export function help(where) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("help"));
  if (dialog.open) return dialog.close();
  const rows = KEYS.filter(([, , only]) => !only || only === where).map(([key, does]) =>
    html("tr", {}, html("td", {}, html("kbd", { textContent: key })), html("td", { textContent: does })),
  );
  const close = button("Close", "Close this help", () => dialog.close());
  dialog.replaceChildren(close, html("table", {}, ...rows));
  return dialog.show();
}

/**
 * The vehicle after the chosen one, or before it, in the order of ids; of one that is gone the next of its population.
 * @param {Pick<import("./stage.js").Stage, "after" | "selected">} stage
 * @param {number} by 1 or -1
 * @returns {import("./stage.js").VehicleKey | null} null where there is none
 */
export function following({ after, selected }, by) {
  const all = Object.entries(after?.populations ?? {}).flatMap(([population, bodies]) =>
    Array.from(bodies.id, (id) => ({ population, id })),
  );
  const now = all.findIndex((each) => isSame(each, selected));
  if (now >= 0) return all[(now + by + all.length) % all.length];
  const alike = all.filter(({ population }) => population === selected?.population);
  return alike.find(({ id }) => id > (selected?.id ?? 0)) ?? alike[0] ?? all[0] ?? null;
}

const STEP = 60; // How far a key moves the picture [pixels of CSS].

/**
 * The keys of live pages and of recordings, also those that do in the picture what the mouse does.
 * @param {import("./stage.js").Stage} stage
 * @param {(vehicle: import("./stage.js").VehicleKey | null) => void} choose
 * @param {{toggle: () => void, faster: (by: number) => void}} bar
 * @param {import("./timeline.js").Timeline} timeline
 * @param {{trails: HTMLInputElement}} layers
 * @param {"live" | "replay"} where
 * @returns {Record<string, () => void>}
 */
export function sharedKeys(stage, choose, bar, timeline, { trails }, where) {
  const next = (/** @type {number} */ by) => () => {
    const vehicle = following(stage, by);
    if (vehicle) choose(vehicle);
  };
  return {
    " ": bar.toggle,
    "+": () => bar.faster(1),
    "=": () => bar.faster(1),
    "-": () => bar.faster(-1),
    l: () => timeline.toggle(),
    f: () => stage.come(),
    t: () => trails.click(),
    "?": () => help(where),
    n: next(1),
    p: next(-1),
    PageUp: () => stage.move("zoom", 1.25),
    PageDown: () => stage.move("zoom", 0.8),
    "Shift+ArrowLeft": () => stage.move("drag", STEP, 0),
    "Shift+ArrowRight": () => stage.move("drag", -STEP, 0),
    "Shift+ArrowUp": () => stage.move("drag", 0, STEP),
    "Shift+ArrowDown": () => stage.move("drag", 0, -STEP),
  };
}

/**
 * Keys of the whole page; not while a text is typed.
 * @param {Record<string, () => void>} keys
 */
export function listen(keys) {
  page.root.addEventListener("keydown", (pressed) => {
    const event = /** @type {KeyboardEvent} */ (pressed);
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || isUsed(target, event.key)) return;
    const dialog = /** @type {HTMLDialogElement} */ (byId("help"));
    if (event.key === "Escape" && dialog.open) return dialog.close();
    const shifted = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
    const key = shifted.length === 1 ? shifted.toLowerCase() : shifted;
    const ctrl = event.ctrlKey || event.metaKey;
    const action = keys[ctrl ? `Ctrl+${event.shiftKey && key === "z" ? "y" : key}` : key];
    if (action) {
      event.preventDefault();
      action();
    }
  });
}

/**
 * Whether a control uses a key itself.
 * @param {HTMLElement} target
 * @param {string} key
 */
function isUsed(target, key) {
  if (target.matches('input[type="checkbox"], button, summary')) return key === " " || key === "Enter";
  if (target.id === "timeline" && key.startsWith("Arrow")) return false; // They go by steps, wherever the focus is.
  if (target.matches('input[type="range"]')) return key.startsWith("Arrow") || ["Home", "End"].includes(key);
  return target.matches("input, select, textarea");
}

/** @typedef {keyof import("./stage.js").Stage["layers"]} Layer */

/** The layers that can be switched on and off. @type {[Layer, string, string][]} */
const LAYERS = [
  ["trails", "Trails", "Where vehicles have been lately (t)"],
  ["scenery", "Scenery", "Obstacles, paths, regions, points to head for, and what tells the story"],
  ["flow", "Flow arrows", "Which way flow fields go, and how fast"],
  ["grid", "Grid", "Lines of the plane, with their places in meters; in 3D, those on the ground"],
  ["lens", "Lens", "The explained vehicle magnified in a corner, where it is small"],
  ["ids", "Ids", "The number of each vehicle"],
];

/** Those of which only Python knows. @type {[Layer, string, string][]} */
const TOLD = [
  ["velocity", "Velocities", "Where each vehicle goes, and how fast"],
  [
    "why",
    "Forces",
    "What each behavior wants, faint; what is kept of it, bold for the one that decides; and the whole force",
  ],
  ["near", "Neighborhoods", "How far vehicles look: fields of view, and what is in reach of a behavior"],
  [
    "scale",
    "Bodies to scale",
    "Vehicles are no longer than their bodies, so that those who do not touch are seen apart",
  ],
  ["sketch", "What they look at", "Predicted places, feelers, slots: what the behaviors of vehicles look at"],
  ["target", "Goals", "Of that, where to go"],
  ["predicted", "Predictions", "Of that, predicted positions"],
  ["chosen", "What counts", "Of that, neighbors and obstacles that count"],
  ["danger", "Dangers", "Of that, where not to be"],
  ["guide", "Helper lines", "Of that, the rest: feelers, slots, lines to neighbors"],
];

/**
 * The layers that can be switched on and off, and what colors mean.
 * @param {import("./stage.js").Stage} stage
 * @param {import("./colors.js").Colors} colors
 * @param {(() => void) | null} [changed] called when a layer is switched; without it, forces cannot be asked for
 */
export function layers(stage, colors, changed = null) {
  const boxes = [...LAYERS, ...(changed ? TOLD : [])].map(([name, label, title]) => {
    const box = html("input", { type: "checkbox", checked: stage.layers[name], id: `layer-${name}` });
    box.addEventListener("change", () => {
      stage.layers[name] = box.checked;
      changed?.();
      stage.upload();
      stage.dirty = true;
    });
    return html("label", { title, className: title.startsWith("Of that") ? "kind" : "" }, box, label);
  });
  const whose = html(
    "select",
    { title: "Whose forces, neighborhoods and sketches are shown; of very many vehicles, some" },
    html("option", { value: "one", textContent: "the clicked vehicle" }),
    html("option", { value: "all", textContent: "all vehicles" }),
  );
  whose.id = "whose";
  whose.addEventListener("change", () => {
    stage.showsAll = whose.value === "all";
    for (const name of /** @type {Layer[]} */ (["near", "sketch"])) {
      stage.layers[name] = !stage.showsAll; // Of all at once they are asked for, one by one: they cover much.
      /** @type {HTMLInputElement} */ (byId(`layer-${name}`)).checked = stage.layers[name];
    }
    changed?.();
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
  const populations = html("div", { className: "meanings", id: "populations" });
  section(
    "Layers",
    false,
    html(
      "div",
      { className: "layers" },
      ...boxes,
      ...(changed ? [html("label", { title: whose.title }, "of", whose), populations] : []),
      html("label", { title: seconds.title }, "Length of trails", seconds),
      html("label", { title: colors.select.title }, "Color by", colors.select),
      colors.legend,
    ),
  );
  return { trails: /** @type {HTMLInputElement} */ (boxes[0].firstElementChild), seconds, told: populations };
}

/**
 * Save a file.
 * @param {string | BlobPart[]} data its address, or what is in it
 * @param {string} name
 * @param {string} [type]
 */
export function download(data, name, type = "text/plain") {
  const href = typeof data === "string" ? data : URL.createObjectURL(new Blob(data, { type }));
  html("a", { href, download: name }).click();
}
