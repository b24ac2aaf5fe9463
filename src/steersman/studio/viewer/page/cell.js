// A cell of a notebook: the same page in a shadow of its own, where neither styles nor ids leak in or out.

import { Stage } from "./stage.js";
import { byId, html } from "./controls.js";
import { labels } from "./labels.js";
import { Lens } from "./lens.js";
import { live } from "./live.js";
import { hold, notice } from "./notices.js";
import { page } from "./root.js";

/**
 * What anywidget hands over: Python's half is `studio/viewer/notebook.py`.
 * @typedef {object} Model
 * @property {(name: string) => any} get
 * @property {(event: string, heard: (...about: any[]) => void) => void} on
 * @property {(event: string, heard: (...about: any[]) => void) => void} off
 * @property {(message: any) => void} send
 */

const [MARKUP, STYLE] = ["", ""]; // Python fills them in.

const SOON = 80; // After how long Python is told what has been shown [ms].
const LONG = 5000; // After how long without an answer something is said [ms].

/**
 * Show the simulation behind a model. This module is evaluated anew for each place where it is shown.
 * @param {{model: Model, el: HTMLElement}} given
 * @returns {() => void} ends it
 */
export function render({ model, el }) {
  const host = html("div", { className: "steersman" });
  host.dataset.lmSuppressShortcuts = "true"; // JupyterLab keeps its keys to itself here.
  const shadow = host.attachShadow({ mode: "open" });
  shadow.innerHTML = `<style>${STYLE}</style><div class="window">${MARKUP}</div>`;
  for (const kind of ["keydown", "keypress", "keyup"]) host.addEventListener(kind, (event) => event.stopPropagation());
  // The wheel scrolls the notebook until the user has touched the picture.
  shadow.addEventListener("wheel", (event) => shadow.activeElement || event.stopPropagation(), { capture: true });
  el.append(host);
  page.root = shadow;
  const paper = new Paper(host, shadow);
  page.darkness = (look) => paper.tell(look);
  const link = modelLink(model);
  try {
    const stage = new Stage(/** @type {HTMLCanvasElement} */ (byId("canvas")));
    labels(stage);
    stage.lens = new Lens(stage);
    Object.assign(host, { steersman: stage }); // For the console of the browser, and for tests.
    live(stage, link);
    return () => {
      link.close();
      paper.close();
      stage.end();
      host.remove();
    };
  } catch (error) {
    hold("trouble", error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/**
 * The way to Python, over messages of the model. Each has a number. What has been shown is told by its number, and Python
 * sends little beyond that; when a number is missing, all begins again.
 * @param {Model} model
 * @returns {import("./socket.js").Link & {close: () => void}}
 */
function modelLink(model) {
  let [name, got, said, soon, answered] = ["", 0, 0, false, true];
  let hear = (/** @type {string | ArrayBuffer} */ _data) => {};
  let regained = (/** @type {boolean} */ _plays) => {};
  const send = (/** @type {Record<string, any>} */ message) => {
    if (!name) return; // It is closed: a late message would open a view that is gone.
    said = got;
    model.send({ ...message, view: name, got });
  };
  const begin = () => {
    const returns = Boolean(name);
    bye();
    name = Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("");
    [got, said, answered] = [0, 0, false];
    send({ do: "hello" });
    if (returns) regained(false);
    setTimeout(() => answered || notice("Python does not answer: it is busy with a cell, or it has ended."), LONG);
  };
  const bye = () => send({ do: "bye" }); // Should the page come back, it is missed, and begins again.
  const shown = () => {
    soon = false;
    if (got > said && name) send({});
  };
  const heard = (/** @type {any} */ message, /** @type {DataView[]} */ buffers) => {
    if (message?.view !== name || !name) return;
    if (message.number !== got + 1) {
      begin();
      return;
    }
    got = message.number;
    answered = true;
    // Not before the picture is painted: a page out of sight paints nothing, and gets nothing.
    if (!soon) setTimeout(() => requestAnimationFrame(shown), SOON);
    soon = true;
    hear(message.text ?? bytesOf(buffers[0]));
  };
  return {
    open(listener, reconnected = () => {}) {
      [hear, regained] = [listener, reconnected];
      for (const each of model.get("first")) hear(typeof each === "string" ? each : bytesOf(each));
      model.on("msg:custom", heard);
      window.addEventListener("pagehide", bye);
      begin();
    },
    send,
    close() {
      model.off("msg:custom", heard);
      window.removeEventListener("pagehide", bye);
      bye();
      name = "";
      answered = true;
    },
  };
}

/** A part of a message as a buffer of its own. @param {DataView} part */
const bytesOf = ({ buffer, byteOffset, byteLength }) =>
  /** @type {ArrayBuffer} */ (buffer.slice(byteOffset, byteOffset + byteLength));

/** The paper of the notebook: dark where its text is light, whatever the system says. */
class Paper {
  /**
   * @param {HTMLElement} host
   * @param {ShadowRoot} shadow
   */
  constructor(host, shadow) {
    this.host = host;
    this.dark = false;
    /** @type {((dark: boolean) => void)[]} */
    this.listeners = [];
    this.shadow = shadow;
    /** @type {CSSRule[]} */
    this.night = [];
    this.observers = [new ResizeObserver(() => this.look()), new MutationObserver(() => this.look())];
    this.observers[0].observe(host);
    /** @type {MutationObserver} */ for (const each of [document.documentElement, document.body])
      this.observers[1].observe(each, { attributes: true });
    this.look();
  }

  /** See how it is now. */
  look() {
    if (!this.night.length) this.night = [...this.shadow.styleSheets].flatMap(nights); // None before it is in a document.
    if (this.host.parentElement) this.dark = light(getComputedStyle(this.host.parentElement).color);
    this.host.style.colorScheme = this.dark ? "dark" : "light";
    for (const rule of this.night) /** @type {CSSMediaRule} */ (rule).media.mediaText = this.dark ? "all" : "not all";
    this.listeners.forEach((each) => each(this.dark));
  }

  /** @param {(dark: boolean) => void} look */
  tell(look) {
    this.listeners.push(look);
    look(this.dark);
  }

  close() {
    this.observers.forEach((each) => each.disconnect());
  }
}

/** The rules for dark paper. @param {CSSStyleSheet} sheet */
const nights = (sheet) =>
  [...sheet.cssRules].filter((rule) => rule instanceof CSSMediaRule && rule.conditionText.includes("color-scheme"));

/** Whether a color, as CSS says it, is light. @param {string} color */
function light(color) {
  const canvas = html("canvas", { width: 1, height: 1 });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  pen.fillStyle = color;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue] = pen.getImageData(0, 0, 1, 1).data;
  return 0.3 * red + 0.6 * green + 0.1 * blue > 128;
}
