// Beside: another scenario, or the same one with another seed or other parameters, in a frame at the same instants.

import { byId, html } from "./controls.js";
import { page } from "./root.js";

/** Keys that move time: a frame passes them on to the window around it. */
const TIME = [" ", "ArrowLeft", "ArrowRight", ",", ".", "l", "Ctrl+z", "Ctrl+y", "+", "=", "-", "r"];

/**
 * What is shown, in words.
 * @param {{address: string | null, seed: number}} told
 */
function captionOf({ address, seed }) {
  const query = new URLSearchParams(address ?? "");
  const changes = query.getAll("set").map((each) => {
    const [place, value] = each.split("=");
    return `${place.split(".").slice(2).join(".").replace("~", "").replaceAll("_", " ")} ${value}`;
  });
  const name = (query.get("scene") ?? "").replaceAll("_", " ");
  return [name, `seed ${seed}`, ...changes].filter(Boolean).join(", ");
}

export class Beside {
  /** @param {import("./socket.js").Link} link */
  constructor(link) {
    this.link = link;
    /** @type {HTMLIFrameElement | null} */
    this.frame = null;
    /** @type {{address: string | null, seed: number} | null} */
    this.state = null;
    const title =
      "Show something beside it, at the same instants: another seed, what it is now while you change it, another scenario";
    this.choice = html("select", { title, on: { change: () => this.go(this.choice.value) } });
    this.choice.id = "beside";
    this.choice.ariaLabel = "Beside";
    this.offer([]);
  }

  /** @param {string[]} names of scenarios */
  offer(names) {
    const option = (/** @type {string} */ value, /** @type {string} */ textContent) =>
      html("option", { value, textContent });
    this.choice.replaceChildren(
      option("", "Beside ..."),
      option("~none", "nothing"),
      option("~seed", "another seed"),
      option("~now", "as it is now"),
      ...names.map((name) => option(name, name.replaceAll("_", " "))),
    );
    this.choice.hidden = !names.length;
    this.choice.options[1].hidden = !this.beside;
  }

  /** What is shown beside it, "" for nothing. */
  get beside() {
    return new URLSearchParams(this.state?.address ?? "").get("beside") ?? "";
  }

  /** Show what was chosen, from the start. @param {string} chosen */
  go(chosen) {
    const { state } = this;
    if (!state || state.address === null || !this.link.visit) return;
    const query = new URLSearchParams(state.address);
    query.delete("beside");
    query.set("seed", String(state.seed));
    const other = new URLSearchParams(query);
    if (chosen === "~seed") other.set("seed", String(state.seed + 1));
    const what = chosen === "~none" ? "" : chosen.startsWith("~") ? other.toString() : chosen;
    this.link.visit(what ? `${query}&beside=${encodeURIComponent(what)}` : String(query));
  }

  /** @param {{address: string | null, seed: number}} state */
  show(state) {
    this.state = state;
    const { beside } = this;
    const legend = byId("legend");
    if (beside || this.link.inner) legend.dataset.caption = captionOf(state);
    this.choice.options[1].hidden = !beside;
    if (!beside || this.frame || !this.link.other) return;
    this.frame = html("iframe", { src: this.link.other, title: "What is shown beside it" });
    byId("figure").after(this.frame);
    byId("figure").parentElement?.classList.add("two");
  }

  /** The connection was lost, and is there again. */
  again() {
    if (this.frame && this.link.other) this.frame.src = this.link.other;
  }

  /** The picture there. @returns {any} */
  get twin() {
    const there = this.link.inner ? window.parent : this.frame?.contentWindow;
    return /** @type {any} */ (there)?.steersman;
  }

  /**
   * The keys of a page: in a frame, those that move time are those of the window around it.
   * @param {Record<string, () => void>} keys
   */
  keys(keys) {
    if (!this.link.inner) return keys;
    const passed = TIME.map((name) => {
      const [key, ctrlKey] = name.startsWith("Ctrl+") ? [name.slice(5), true] : [name, false];
      const event = () => new window.KeyboardEvent("keydown", { key, ctrlKey, bubbles: true });
      const pass = () => window.parent.document.body.dispatchEvent(event());
      return [name, () => void pass()];
    });
    return { ...keys, ...Object.fromEntries(passed) };
  }
}

/** Whether a page stands in a frame: it has a picture, and nothing else. @param {boolean} inner */
export function framed(inner) {
  if (inner) page.root.querySelector(".window")?.classList.add("inner");
}
