// Recorded: a run that lies in the page itself, quantized and compressed; no server is needed.

import { button, byId, html, layers, listen, sharedKeys, transport } from "./controls.js";
import { Colors } from "./colors.js";
import { filmButton, pictureButton } from "./film.js";
import { isSame, messageIn } from "./frames.js";
import { css } from "./palette.js";
import { page } from "./root.js";
import { Timeline } from "./timeline.js";
import { touch } from "./pointer.js";
import { Why } from "./why.js";

/** @typedef {import("./stage.js").Stage} Stage */
/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").Bodies} Bodies */

/**
 * Title, legend and words of a scene.
 * @param {import("./types.js").Scene} scene
 */
export function introduce(scene) {
  byId("title").textContent = scene.title || "world";
  byId("shows").textContent = byId("shows").title = scene.shows;
  if (page.root === document) document.title = `${scene.title || "world"} - steersman`;
  const entries = scene.populations.map(({ name, color }) => {
    const entry = html("span", {}, html("i", { style: { borderLeftColor: css(color) } }), `${name} `, html("b"));
    entry.dataset.name = name;
    return entry;
  });
  byId("legend").replaceChildren(...entries);
}

/**
 * How many there are, in the legend.
 * @param {Frame} frame
 */
export function countVehicles(frame) {
  for (const [name, bodies] of Object.entries(frame.populations)) {
    const box = page.root.querySelector(`#legend [data-name="${CSS.escape(name)}"] b`);
    if (box) box.textContent = (bodies.of ?? bodies.n).toLocaleString("en");
  }
}

/**
 * Bytes that were compressed.
 * @param {string} text base64
 * @returns {Promise<ArrayBuffer>}
 */
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/**
 * The frames of a recording. Places are whole numbers of a mesh, told as differences of differences from frame to frame,
 * component by component; headings are parts of 256, in the same way.
 * @param {ArrayBuffer} data
 * @param {any} head
 * @returns {Frame[]}
 */
export function framesIn(data, head) {
  let at = 0;
  const integers = (/** @type {number} */ count, /** @type {number} */ bytes) => {
    // Low bytes and high bytes stand apart from each other, for they compress better so.
    const parts = Array.from({ length: bytes }, () => {
      at += count;
      return new Uint8Array(data, at - count, count);
    });
    return (/** @type {number} */ k) =>
      bytes === 1 ? (parts[0][k] << 24) >> 24 : ((parts[0][k] | (parts[1][k] << 8)) << 16) >> 16;
  };
  const d = head.scene.dimensions;
  /** @type {Frame[]} */
  const frames = head.times.map((/** @type {number} */ time, /** @type {number} */ k) => ({
    time,
    steps: k,
    populations: {},
  }));
  for (const { name, groups } of head.populations) {
    for (const { first, count, ids, size, width: wide } of groups) {
      const n = ids.length;
      const places = Array.from({ length: d }, () => integers(n * count, 2));
      const turns = Array.from({ length: d === 2 ? 1 : 6 }, () => integers(n * count, 1));
      const was = Array.from({ length: d }, () => [new Float64Array(n), new Float64Array(n)]);
      const facing = turns.map(() => new Float64Array(n));
      const column = (/** @type {number[]} */ of) => new Float32Array(n).map((_, k) => of[of.length > 1 ? k : 0]);
      const [id, sizes, width] = [new Uint32Array(ids), column(size), wide ? column(wide) : undefined];
      for (let t = 0; t < count; t++) {
        const [position, forward] = [new Float32Array(n * d), new Float32Array(n * d)];
        const up = d === 3 ? new Float32Array(n * d) : undefined;
        for (let k = 0; k < n; k++) {
          for (let c = 0; c < d; c++) {
            const [place, pace] = was[c];
            const turned = places[c](t * n + k);
            pace[k] = t > 0 ? wrapped(pace[k] + turned) : 0;
            place[k] = t > 0 ? (place[k] + pace[k] + 65536) % 65536 : (turned + 65536) % 65536;
            position[d * k + c] = head.low[c] + place[k] * head.mesh[c];
          }
          facing.forEach((values, c) => (values[k] += turns[c](t * n + k)));
          if (d === 2) {
            const angle = (facing[0][k] * Math.PI) / 128;
            forward.set([Math.cos(angle), Math.sin(angle)], 2 * k);
          } else if (up) {
            for (let c = 0; c < 3; c++) {
              forward[3 * k + c] = byte(facing[c][k]) / 127;
              up[3 * k + c] = byte(facing[3 + c][k]) / 127;
            }
          }
        }
        frames[first + t].populations[name] = { n, id, size: sizes, width, position, forward, up };
      }
    }
  }
  return frames;
}

const wrapped = (/** @type {number} */ value) => (value << 16) >> 16;
const byte = (/** @type {number} */ value) => (value << 24) >> 24;

/**
 * Play the recording that lies in the page.
 * @param {Stage} stage
 * @param {string} text
 */
export async function recorded(stage, text) {
  const data = await inflated(text);
  const length = new DataView(data).getUint32(0, true);
  const head = messageIn(new TextDecoder().decode(new Uint8Array(data, 4, length)));
  const frames = framesIn(data.slice(4 + length), head);
  const [start, end] = [frames[0].time, frames[frames.length - 1].time];
  stage.show({ ...head.scene, close_up: null }); // Nothing is explained when it opens.
  introduce(head.scene);
  /** @type {{time: number, told: any[]}[]} */
  const whys = head.whys ?? [];
  /** Lines of sight, captions: when, and what. @type {[number, import("./types.js").Element[]][]} */
  const notes = head.notes ?? [];
  /** @type {import("./types.js").Element[] | undefined} */
  let noted;
  const why = whys.length ? new Why(stage, (vehicle) => choose(vehicle)) : null;
  for (const deed of ["move", "tour", "set"]) why?.tried(deed); // A recording does not change.
  const shown = layers(stage, new Colors(stage, undefined));
  shown.seconds.value = String(stage.trails.seconds);
  const panel = byId("panel");
  panel.hidden = true;
  const opened = (/** @type {boolean} */ open) => {
    panel.hidden = !open;
    if (!open) panel.classList.remove("open"); // Where it covers the picture it opens by its button alone.
  };
  const more = button("Layers", "Trails, ids, colors", () => {
    opened(panel.hidden);
    panel.querySelectorAll("details").forEach((each) => (each.open = true));
  });

  let time = start;
  /** @type {{playing: boolean, speed: number | "max", reset: boolean, reset_words: string}} */
  const state = { playing: true, speed: 1, reset: true, reset_words: "Back to the start (r)" };
  stage.trails.frames = frames;
  const seek = (/** @type {number} */ to) => {
    time = Math.min(Math.max(to, start), end);
    const frame = timeline.show(time);
    if (frame) countVehicles(frame);
    const elements = notes.findLast(([since]) => since <= time + 1e-6)?.[1];
    if (elements !== noted) stage.decorate("notes", elements);
    noted = elements;
    explain();
  };
  /** What was recorded of the chosen vehicle last, at the place where it is by now. */
  const explain = () => {
    if (!why) return;
    const vehicle = stage.selected;
    const at = vehicle && whys.findLast((each) => each.time <= time + 1e-6);
    const explanation = at && at.told.find((each) => isSame(each, vehicle));
    if (explanation) why.recall(explanation);
    else if (why.told) why.show(null);
  };
  const timeline = new Timeline(stage, () => frames, { scrub: seek, settle: seek });
  timeline.reach(start, end, start);
  timeline.tell(head.events ?? []);
  const pace = 1 / 60;
  const bar = transport(
    stage,
    (deed) => {
      if (deed.do === "play" && time >= end) seek(start);
      if (deed.do === "play" || deed.do === "pause") state.playing = deed.do === "play";
      if (!state.playing) why?.reason.flush();
      if (deed.do === "speed") state.speed = deed.value;
      if (deed.do === "reset") seek(start);
      if (deed.do === "step" || deed.do === "back") {
        state.playing = false;
        seek(time + (deed.do === "step" ? 1 : -1) * (head.times[1] - head.times[0] || pace));
      }
      bar.show(state);
    },
    [more],
    "replay",
    [filmButton(stage), pictureButton(stage)],
  );
  bar.show(state);

  const choose = (/** @type {import("./stage.js").VehicleKey | null} */ vehicle) => {
    if (stage.selected) why?.tried("select");
    stage.selected = vehicle;
    stage.following = vehicle !== null && !why;
    if (why) opened(vehicle !== null);
    explain();
    stage.dirty = true;
  };
  if (why) stage.seen = () => (why.follow.checked = stage.following);
  touch(stage, { choose, move: () => {} });
  listen({
    ArrowRight: () => seek(time + 0.25),
    ArrowLeft: () => seek(time - 0.25),
    r: () => seek(start),
    ",": () => seek(timeline.next(-1)?.[1] ?? start),
    ".": () => seek(timeline.next(1)?.[1] ?? end),
    Escape: () => choose(null),
    ...sharedKeys(stage, choose, bar, timeline, shown, "replay"),
  });

  let then = performance.now();
  const play = (/** @type {number} */ now) => {
    requestAnimationFrame(play);
    const passed = Math.min(now - then, 100) / 1000;
    then = now;
    if (stage.still === state.playing) [stage.still, stage.dirty] = [!state.playing, true];
    if (!state.playing) return;
    seek(timeline.within(time + passed * (state.speed === "max" ? 20 : state.speed)));
    if (time >= end) {
      state.playing = false;
      bar.show(state);
    }
  };
  seek(start);
  requestAnimationFrame(play);
}
