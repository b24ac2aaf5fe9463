// The steering tree as a panel: every node with its parameters as controls. What is refused is told beside its control.

import { button, download, hint, html, section, exact } from "./controls.js";
import { notice } from "./notices.js";
import { page } from "./root.js";

/**
 * @typedef {object} Parameter
 * @property {string} name
 * @property {string} unit
 * @property {string} doc
 * @property {string} allowed
 * @property {string[]} choices
 * @property {string} control number, flag, choice, numbers or none
 * @property {any} value
 * @property {number} [low]
 * @property {number} [high]
 * @property {boolean} [whole]
 * @property {boolean} [typed]
 */

/**
 * @typedef {object} TreeNode
 * @property {number} key
 * @property {string} label
 * @property {string} title what it is called beside its siblings
 * @property {string} class
 * @property {string} doc
 * @property {boolean} behavior
 * @property {boolean} on
 * @property {number | null} weight
 * @property {Parameter[]} parameters
 * @property {TreeNode[]} children
 * @property {TreeNode[]} conditions
 */

/** @typedef {(message: Record<string, any>) => Promise<Record<string, any>>} Ask */

/** What a change of a value changes, and no control is made anew for. */
const CHANGES = new Set(["value", "low", "high", "weight", "on"]);

export class Trees {
  /** @param {Ask} ask */
  constructor(ask) {
    this.ask = ask;
    this.inside = section("Steering", false);
    /** @type {Set<string>} */
    this.open = new Set();
    this.shape = "";
    /** @type {Map<string, (now: any) => void>} */
    this.rows = new Map();
  }

  /** @param {{name: string, tree: TreeNode | null}[]} populations */
  show(populations) {
    const shape = JSON.stringify(populations, (name, value) => (CHANGES.has(name) ? typeof value === "object" : value));
    if (shape === this.shape) return this.refresh(populations);
    this.shape = shape;
    this.rows.clear();
    const boxes = populations.map(({ name, tree }) => {
      const title = html("div", { className: "hint", textContent: tree ? name : `${name}: nothing steers` });
      if (!tree) return html("div", {}, title);
      const copies = ["Python", "TOML"].map((form) => {
        const message = { do: "copy", population: name, as: form.toLowerCase() };
        const made = button(`Copy as ${form}`, `Copy the tree of ${name} as it is now`, () => this.copy(message, made));
        return { made, message, refusal: `No ${form}: ` };
      });
      return html("div", {}, title, this.node(name, tree, 0), this.checked(copies));
    });
    const save = button("Save scenario", "Save the whole scenario as it is now, as a TOML file", async () => {
      const answer = await this.ask({ do: "save" });
      if (answer.text) download([answer.text], answer.name);
      else notice(answer.message);
    });
    const saving = { made: save, message: { do: "save" }, refusal: "It cannot be saved: " };
    this.inside.replaceChildren(...boxes, this.checked([saving]));
  }

  /**
   * A row of buttons that are disabled where Python refuses what they ask for, with the reason.
   * @param {{made: HTMLButtonElement, message: Record<string, any>, refusal: string}[]} deeds
   */
  checked(deeds) {
    const why = hint("", { className: "hint beside" }); // In the row of the buttons: nothing moves when it comes.
    const row = html("div", { className: "buttons" }, ...deeds.map(({ made }) => made), why);
    const usual = deeds.map(({ made }) => made.title);
    const check = async () => {
      const answers = await Promise.all(deeds.map(({ message }) => this.ask({ ...message, only: "check" })));
      const words = answers.map(({ type, message, note = "" }, k) => {
        const { made, refusal } = deeds[k];
        made.disabled = type === "refused";
        const said = made.disabled ? refusal + message : note;
        made.title = said || usual[k];
        return said;
      });
      why.title = words.find(Boolean) ?? "";
      why.textContent = why.title && !deeds.some(({ made }) => made.disabled) ? "Functions left out" : why.title; // All of it has no room.
    };
    for (const at of ["pointerenter", "focusin"]) row.addEventListener(at, check); // What was changed meanwhile may have no document.
    check();
    return row;
  }

  /**
   * New values for the controls that there are.
   * @param {{name: string, tree: TreeNode | null}[]} populations
   */
  refresh(populations) {
    const walk = (/** @type {string} */ name, /** @type {TreeNode} */ node) => {
      for (const each of node.parameters) this.rows.get(`${name} ${node.key} ${each.name}`)?.(each);
      this.rows.get(`${name} ${node.key} ~weight`)?.(weightOf(node));
      this.rows.get(`${name} ${node.key} ~on`)?.(node);
      [...node.children, ...node.conditions].forEach((each) => walk(name, each));
    };
    populations.forEach(({ name, tree }) => tree && walk(name, tree));
  }

  /**
   * @param {string} population
   * @param {TreeNode} node
   * @param {number} depth
   * @returns {HTMLElement}
   */
  node(population, node, depth) {
    const key = `${population} ${node.key}`;
    const label = html("span", { className: "label", textContent: node.title });
    const parts = [];
    const made = html("div", { className: "node" });
    made.dataset.label = node.label;
    if (node.behavior) {
      const box = html("input", {
        type: "checkbox",
        ariaLabel: node.title,
        title: "Switch it off, or on again; its memory rests while it is off",
      });
      box.addEventListener("click", (event) => event.stopPropagation());
      box.addEventListener("change", () => this.ask({ do: "switch", population, key: node.key, on: box.checked }));
      parts.push(box);
      this.rows.set(`${key} ~on`, ({ on }) => {
        box.checked = on;
        made.className = `node${on ? "" : " off"}`;
      });
    }
    const summary = html("summary", { title: node.doc }, ...parts, label);
    const rows = node.parameters.map((each) => this.row(population, node, each));
    if (node.weight !== null)
      rows.unshift(
        this.row(population, node, weightOf(node), "~weight", (value) => ({
          do: "weight",
          population,
          key: node.key,
          value,
        })),
      );
    const conditions = node.conditions.map((each) =>
      html("div", { className: "condition" }, this.node(population, each, depth + 1)),
    );
    const children = node.children.map((each) => this.node(population, each, depth + 1));
    const inner = html("div", { className: "inner" }, ...rows, ...conditions, ...children);
    const details = html(
      "details",
      { open: this.open.has(key) || (depth < 2 && node.children.length > 0) },
      summary,
      inner,
    );
    details.addEventListener("toggle", () => (details.open ? this.open.add(key) : this.open.delete(key)));
    made.append(details);
    this.rows.get(`${key} ~on`)?.(node);
    return made;
  }

  /**
   * @param {string} population
   * @param {TreeNode} node
   * @param {Parameter} parameter
   * @param {string} [name] what finds it again
   * @param {(value: any) => Record<string, any>} [message]
   * @returns {HTMLElement}
   */
  row(
    population,
    node,
    parameter,
    name = parameter.name,
    message = (value) => ({ do: "set", population, key: node.key, name, value }),
  ) {
    const { doc, allowed } = parameter;
    const title = `${doc}\n${parameter.name}: ${allowed}`.trim();
    const wrong = html("div", { className: "wrong", hidden: true });
    let [now, asking] = [parameter, false];
    /** @type {any[]} */
    let wanted = [];
    /** Ask for a value; the next time when that is done, for the one that is wanted then. @param {any} value */
    const send = async (value) => {
      wanted = [value];
      if (asking) return;
      asking = true;
      for (; wanted.length; ) {
        const answer = await this.ask(message(degrees(now)[1](wanted.pop(), true)));
        wrong.hidden = answer.type !== "refused";
        wrong.textContent = answer.message ?? "";
      }
      asking = false;
      if (wrong.hidden) put();
    };
    const [first] = degrees(parameter);
    const said = first.unit ? `${parameter.name} [${first.unit}]` : parameter.name;
    const pieces = said.split(/(?<=_)/).flatMap((each) => [each, html("wbr")]); // Lines end between words.
    const words = html("span", { className: "name", title }, ...pieces);
    const [controls, show] = control(first, send, title);
    const put = () => asking || show(degrees(now)[0]);
    const row = html(
      "div",
      { className: `row${parameter.control === "number" ? "" : " wide"}`, title },
      words,
      ...controls,
      wrong,
    );
    row.dataset.parameter = parameter.name;
    row.addEventListener("change", () => setTimeout(put)); // When it is not pressed any more.
    this.rows.set(`${population} ${node.key} ${name}`, (each) => {
      now = each;
      wrong.hidden ||= !asking;
      put();
    });
    return row;
  }

  /**
   * @param {Record<string, any>} message
   * @param {HTMLButtonElement} pressed
   */
  async copy(message, pressed) {
    const answer = await this.ask(message);
    if (!answer.text) return notice(answer.message);
    const before = pressed.textContent;
    try {
      await navigator.clipboard.writeText(answer.text);
      pressed.textContent = "Copied";
    } catch {
      notice(answer.text);
    }
    setTimeout(() => (pressed.textContent = before), 1200);
    return undefined;
  }
}

/** The weight of a node as a parameter. @param {TreeNode} node @returns {Parameter} */
const weightOf = ({ weight }) => ({
  name: "weight",
  unit: "",
  doc: "Raising it makes this part count more.",
  allowed: "a number",
  choices: [],
  control: "number",
  value: weight,
  low: 0,
  high: Math.max(4, 3 * Math.abs(weight ?? 0)),
});

/**
 * A parameter with its angles in degrees, and the way between these and what Python knows.
 * @param {Parameter} parameter
 * @returns {[Parameter, (value: any, back: boolean) => any]}
 */
export function degrees(parameter) {
  if (!/^rad\b/.test(parameter.unit) || parameter.control !== "number") return [parameter, (value) => value];
  const turned = (/** @type {any} */ value, /** @type {boolean} */ back) =>
    typeof value !== "number" ? value : back ? (value * Math.PI) / 180 : (value * 180) / Math.PI;
  const [value, low, high] = [parameter.value, parameter.low, parameter.high].map((each) => turned(each, false));
  return [{ ...parameter, unit: parameter.unit.replace("rad", "\u00b0"), value, low, high }, turned];
}

/**
 * The controls of a parameter, and a function that gives them another value.
 * @param {Parameter} parameter
 * @param {(value: any) => void} send
 * @param {string} title
 * @returns {[HTMLElement[], (parameter: Parameter) => void]}
 */
function control(parameter, send, title) {
  const { value, whole, choices } = parameter;
  if (parameter.control === "flag") {
    const box = html("input", { type: "checkbox", checked: value, title });
    box.addEventListener("change", () => send(box.checked));
    return [[box], (now) => (box.checked = now.value)];
  }
  if (parameter.control === "choice" && !parameter.typed) {
    const list = html(
      "select",
      { title },
      ...choices.map((each) => html("option", { textContent: each, selected: each === value })),
    );
    list.addEventListener("change", () => send(list.value));
    return [[list], (now) => (list.value = now.value)];
  }
  const shown = (/** @type {any} */ each) =>
    Array.isArray(each) ? each.map(exact).join(", ") : typeof each === "number" ? exact(each) : String(each);
  if (parameter.control === "none") {
    const words = html("span", { className: "unit", textContent: shown(value), title });
    return [[words], (now) => (words.textContent = shown(now.value))];
  }
  const text = html("input", { type: "text", value: shown(value), title, ariaLabel: parameter.name });
  const typed = () => {
    const entered = text.value.trim();
    if (parameter.control === "numbers") return send(entered.split(/[\s,]+/).map(Number));
    return send(entered !== "" && Number.isFinite(Number(entered)) ? Number(entered) : entered);
  };
  text.addEventListener("change", typed);
  let typing = false; // What is typed stays until it is sent, also when another value comes meanwhile.
  text.addEventListener("input", () => (typing = true));
  for (const end of ["change", "blur"]) text.addEventListener(end, () => (typing = false));
  if (parameter.control !== "number") return [[text], (now) => (typing ? undefined : (text.value = shown(now.value)))];
  const slider = html("input", { type: "range", title, ariaLabel: parameter.name });
  /** At an end, it reaches as far as it would if it were new. @param {Parameter} now */
  const reach = ({ value: at, low = 0, high = 1 }) => {
    if (at > Number(slider.min) && at < Number(slider.max)) return;
    const step = whole ? "1" : String((high - low) / 200);
    Object.assign(slider, { min: String(low), max: String(Number.isFinite(at) ? Math.max(at, high) : high), step });
  };
  slider.addEventListener("input", () => {
    text.value = shown(Number(slider.value));
    send(Number(slider.value));
  });
  const put = (/** @type {Parameter} */ now) => {
    if (slider.matches(":active")) return;
    reach(now);
    slider.value = String(now.value);
    if (typing) return;
    if (page.root.activeElement !== text || Number(text.value) !== now.value) text.value = shown(now.value);
  };
  put(parameter);
  return [[text, html("div", {}, slider)], put];
}
