// Live: a simulation that runs in Python.

import { byId, css, help, html, layers, listen, savePicture, section, transport } from "./controls.js";
import { frameIn, messageIn } from "./frames.js";
import { Plots } from "./plots.js";
import { Trees, notice } from "./tree.js";
import { COLORS, Why } from "./why.js";
import { touch } from "./pointer.js";
import { introduce } from "./recorded.js";
import { page } from "./root.js";

/** @typedef {import("./stage.js").Stage} Stage */

/**
 * Watch what Python simulates.
 * @param {Stage} stage
 * @param {import("./socket.js").Link} link
 */
export function live(stage, link) {
  let count = 0;
  /** @type {Map<number, (answer: any) => void>} */
  const waiting = new Map();
  /** @type {any} */
  let state = null;

  /** @param {Record<string, any>} message @returns {Promise<any>} */
  const ask = (message) =>
    new Promise((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      link.send({ ...message, re: count });
    });

  const n = html("input", {
    type: "number",
    min: "1",
    title: "Number of vehicles of the main population, taken when it begins again",
  });
  const seed = html("input", {
    type: "number",
    min: "0",
    title: "Seed of everything random, taken when it begins again",
  });
  [n.id, seed.id] = ["n", "seed"];
  const again = () =>
    ask({ do: "reset", n: Number(n.value) || null, seed: seed.value === "" ? null : Number(seed.value) });
  for (const each of [n, seed]) each.addEventListener("change", again);
  const picture = html("button", {
    textContent: "Picture",
    title: "Save the picture as a PNG",
    on: { click: () => savePicture(stage) },
  });
  const question = html("button", { textContent: "?", title: "What keys and mouse do (?)", on: { click: help } });
  const bar = transport(
    (deed) => (deed.do === "reset" ? again() : ask(deed)),
    [
      html("label", {}, "Vehicles", n),
      html("label", {}, "Seed", seed),
      html("span", { className: "wide" }),
      picture,
      question,
    ],
  );

  const choose = (/** @type {import("./stage.js").Who | null} */ who) => {
    stage.selected = who;
    stage.dirty = true;
    if (!who) why.show(null);
    ask({ do: "select", population: who?.population, id: who ? who.id : null });
  };
  const why = new Why(stage, () => choose(null));
  const trees = new Trees(ask);
  const plots = new Plots();
  const shown = layers(stage, (by) => {
    byId("colors").replaceChildren();
    ask({ do: "decide", on: by === "decision" });
  });
  const pace = html("p", { className: "hint", title: "How fast the simulation runs, and how many frames arrive" });
  section("About", false, html("p", { className: "hint", id: "about" }), pace);
  touch(stage, {
    choose,
    move: (who, position) => ask({ do: "move", ...who, position }),
    add: (position) => ask({ do: "add", population: stage.selected?.population, position }),
  });
  listen({
    " ": bar.toggle,
    ArrowRight: () => ask({ do: "step" }),
    "+": () => bar.faster(1),
    "=": () => bar.faster(1),
    "-": () => bar.faster(-1),
    r: again,
    f: () => {
      if (stage.selected) stage.following = !stage.following;
      else stage.camera?.fit();
      if (why.told) why.show(why.told);
      stage.dirty = true;
    },
    t: () => shown.trails.click(),
    Escape: () => choose(null),
    Delete: () => stage.selected && ask({ do: "remove", ...stage.selected }),
    "?": help,
  });

  /** @type {Record<string, (message: any) => void>} */
  const heard = {
    scene(scene) {
      stage.show(scene);
      introduce(scene);
      byId("about").textContent = scene.shows;
      shown.seconds.value = String(stage.trails.seconds);
      plots.clear();
      stage.selected = null;
      why.show(null);
    },
    trees: ({ populations }) => trees.show(populations),
    state(told) {
      state = told;
      bar.show(told);
      if (page.root.activeElement !== n) n.value = String(told.n);
      if (page.root.activeElement !== seed) seed.value = String(told.seed);
      n.disabled = seed.disabled = !told.again;
      stage.selected = told.selected && { population: told.selected[0], id: told.selected[1] };
      if (!stage.selected && why.told) why.show(null);
    },
    scenery: ({ elements }) => stage.furnish(elements),
    meters: (told) => plots.show(told),
    why(told) {
      if (stage.selected && stage.selected.id === told.id) why.show(told);
    },
    trouble: ({ message }) => notice(message),
    verdict: ({ problems }) => plots.judge(problems),
    deciders({ populations }) {
      const names = [...new Set(Object.values(populations).flatMap((each) => each.names))];
      stage.deciders = Object.fromEntries(
        Object.entries(populations).map(([name, each]) => [
          name,
          { ...each, numbers: each.names.map((/** @type {string} */ one) => names.indexOf(one)) },
        ]),
      );
      const meanings = names.map((name, k) =>
        html(
          "span",
          {},
          html("i", { className: "swatch", style: { background: css(COLORS[k % COLORS.length]) } }),
          name || "nobody",
        ),
      );
      byId("colors").replaceChildren(...meanings);
      stage.upload();
    },
    refused({ re, message }) {
      if (!waiting.has(re)) notice(message);
    },
  };

  link.open((data) => {
    if (typeof data !== "string") {
      const frame = frameIn(data);
      stage.receive(frame, !state?.playing);
      byId("clock").textContent = `t = ${frame.time.toFixed(1)} s`;
      pace.textContent = `${frame.pace} steps a second, ${Math.round(1000 / stage.interval)} frames a second from Python`;
      countVehicles(frame);
      if (why.told) why.draw();
      return;
    }
    const message = messageIn(data);
    heard[message.type]?.(message);
    const resolve = waiting.get(message.re);
    if (resolve) {
      waiting.delete(message.re);
      resolve(message);
    }
  });
}

/** How many there are, in the legend. @param {import("./types.js").Frame} frame */
function countVehicles(frame) {
  for (const [name, bodies] of Object.entries(frame.populations)) {
    const box = page.root.querySelector(`#legend [data-name="${CSS.escape(name)}"] b`);
    if (box) box.textContent = bodies.n.toLocaleString("en");
  }
}
