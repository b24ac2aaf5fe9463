// Live: a simulation that runs in Python.

import { button, byId, download, hint, html, layers, listen, section, sharedKeys, transport } from "./controls.js";
import { Beside, framed } from "./beside.js";
import { onScreen } from "./camera.js";
import { Colors } from "./colors.js";
import { Populations } from "./populations.js";
import { filmButton, pictureButton } from "./film.js";
import { Grasp } from "./grasp.js";
import { Timings } from "./timings.js";
import { Kept, around, frameIn, isSame, messageIn } from "./frames.js";
import { CHOSEN } from "./outlines.js";
import { Plots } from "./plots.js";
import { hold, notice } from "./notices.js";
import { Timeline } from "./timeline.js";
import { Trees } from "./tree.js";
import { Why } from "./why.js";
import { touch } from "./pointer.js";
import { countVehicles, introduce } from "./recorded.js";
import { page } from "./root.js";

/** @typedef {import("./stage.js").Stage} Stage */

/** Time between two messages about what is seen [ms]. */
const LOOKING = 200;

/** How far a key moves the chosen vehicle [pixels of CSS]. */
const NUDGE = 12;

/** What changes the world where it is, and not where a span is repeated. */
const CHANGE = /^(set|weight|switch|put|move|add|remove|undo|redo)$/;

/** Of an instant of the past it is told what was told so shortly before; so often that is kept [s], and so many times. */
const [LATELY, OFTEN, MOST] = [1, 0.2, 300];

/** What is said of a vehicle of which nothing was told then. */
const PAST = "Why it did so at this instant was not noted: end the loop, or let go of the timeline, to see it.";

/** What is said where a connection that is there again leads to another run than before. */
const ANEW = "The run has begun anew since the connection was lost: what was before can be shown no more.";

/** What the button of a recording says. @type {Record<string, string>} */
const RECORD = { "": "Record", on: "Save replay", full: "Save replay (full)" };

/** What the button says that leads to everything, or near. */
const WHOLE = { all: "See all", near: "Come near" };

/** The vehicle that Python says is selected. @param {any} state @returns {import("./stage.js").VehicleKey | null} */
const selectedIn = ({ selected }) => selected && { population: selected[0], id: selected[1] };

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
  let lacking = ""; // What the notes lack, as it was told last.
  let [hurries, arriving] = [false, false]; // Whether it is on the way to where it opens; whether it has not been framed there.
  // What changes while the pointer is held down is one change, and undone at once. A tab that is opened again counts anew.
  const own = `${Math.random()} `;
  let [holds, pressed] = [false, 0];
  page.root.addEventListener("pointerdown", () => ([holds, pressed] = [true, pressed + 1]), true);
  for (const end of ["pointerup", "pointercancel"])
    page.root.addEventListener(end, () => setTimeout(() => (holds = false)), true);
  let choosing = 0; // Choices that Python has not answered; what it says of the choice until then is older.

  /** @param {Record<string, any>} message @returns {Promise<any>} */
  const ask = (message) =>
    new Promise((resolve) => {
      why.tried(message.do);
      if (CHANGE.test(message.do) && timeline.span.length === 2) {
        timeline.clear();
        still();
      }
      count += 1;
      waiting.set(count, resolve);
      link.send({ ...message, ...(holds && CHANGE.test(message.do) && { hold: own + pressed }), re: count });
    });

  /** Ask for something, and show a refusal. @param {Record<string, any>} message */
  const request = async (message) => {
    const answer = await ask(message);
    if (answer.type === "refused") notice(answer.message);
    return answer;
  };

  let [owed, going] = [0, false]; // Steps back that are still to be asked for, and whether others are under way.
  /** One step back from where the simulation is, whatever the page has heard of it; presses meanwhile go together. */
  const stepBack = async () => {
    owed += 1;
    if (going) return;
    going = true;
    await unloop();
    for (let by = owed; by; by = owed) {
      owed = 0;
      if ((await request({ do: "go", by: -by })).type === "refused") owed = 0;
    }
    going = false;
  };

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
  const numberIn = (/** @type {HTMLInputElement} */ field) =>
    field.value === "" || field.validity.customError ? null : Number(field.value);
  /** Show a refusal at a field, or that there is none. @param {HTMLInputElement} field @param {string} refusal */
  const refuse = (field, refusal) => {
    field.setCustomValidity(refusal);
    if (refusal) field.reportValidity();
  };
  /** Begin again; a refusal is shown at the field that caused it. @param {HTMLInputElement | null} field */
  const again = async (field = null) => {
    if (field?.validity.badInput) return refuse(field, `${field.id} must be a whole number`);
    // Vehicles may have come and gone: only a number that was typed is another one.
    const typed = (/** @type {"n" | "seed"} */ name, /** @type {HTMLInputElement} */ from) =>
      from === field || from.value !== String(state?.[name]) ? numberIn(from) : null;
    const answer = await ask({ do: "reset", ...(state?.again ? { n: typed("n", n), seed: typed("seed", seed) } : {}) });
    const refusal = answer.type === "refused" ? answer.message : "";
    if (field) refuse(field, refusal);
    else if (refusal) notice(refusal);
  };
  for (const each of [n, seed]) {
    each.addEventListener("change", () => again(each));
    each.addEventListener("input", () => each.setCustomValidity(""));
  }
  const beside = new Beside(link);
  framed(Boolean(link.inner));
  const recording = "Record what is seen from now on; pressed again, save it as one HTML file that plays anywhere";
  const record = button("Record", recording, async () => {
    const answer = await request({ do: "record", on: !state?.recording });
    if (answer.text) download([answer.text], answer.name, "text/html");
  });
  /** Undo, or do again. @param {HTMLButtonElement} it the button that says which */
  const revert = async (it) => {
    const answer = await ask({ do: String(it.textContent).toLowerCase() });
    if (answer.type === "refused") notice(it.disabled ? it.title : answer.message);
  };
  const [undo, redo] = ["Undo", "Redo"].map((name) => {
    const made = button(name, "", () => revert(made), { disabled: true });
    return made;
  });
  const whole = button("", "Everything, or the explained vehicle and what it steers by (f)", () => stage.come());
  const why = new Why(stage, (vehicle) => choose(vehicle)); // First in the panel, beside its sentence.
  const bar = transport(
    stage,
    (deed) => {
      if (deed.do === "reset") return again();
      if (deed.do === "back") return stepBack();
      if (deed.do === "play" || deed.do === "step") return goOn(deed);
      return request(deed);
    },
    [whole, undo, redo],
    "live",
    [
      html("label", {}, "Vehicles", n),
      html("label", {}, "Seed", seed),
      beside.choice,
      record,
      filmButton(stage),
      pictureButton(stage),
    ],
  );

  let begun = false; // Whether a step was shown, or it stands still: until then, nothing can be paused.
  const begin = () => {
    if (!begun) bar.prepare("");
    begun = true;
  };
  let [run, lost] = ["", false]; // The run that is kept, and whether its connection was lost and nothing heard since.
  const kept = new Kept();
  /** What was told of the chosen vehicle in the last minute. @type {import("./why.js").Explanation[]} */
  let whys = [];
  /** What was told of it last. @type {import("./why.js").Explanation | null} */
  let newest = null;
  /** Tell why it did so at an instant that is kept. @param {number} time */
  const recall = (time) => {
    const then = whys.findLast((each) => isSame(each, stage.selected) && (each.time ?? 0) <= time + 1e-6);
    if (then && time - (then.time ?? 0) < LATELY) why.recall(then);
    else why.show(null, stage.selected ? PAST : undefined);
  };
  let shownPast = false; // What is shown is an instant of the past, and Python's simulation stands at another one.
  let pausing = 0; // Pauses that are not answered: frames of before are still on their way.
  /** @type {any} */
  let quiet; // When the last one is answered, how many are not.
  /** @type {{first: [number, number] | null, newest: number, problem: string, undo: string, redo: string, events: any[]}} */
  let past = { first: null, newest: 0, problem: "", undo: "", redo: "", events: [] };
  /** @type {import("./types.js").Frame | null} */
  let present = null;
  /**
   * Show an instant that is kept; the simulation waits meanwhile.
   * @param {number} time
   * @param {Promise<unknown> | null} [pause] the pause that it waits for, of the window around this one
   */
  const scrub = (time, pause = null) => {
    if (!shownPast && !link.inner) pause = ask({ do: "pause" }); // Also where it rests, and would soon play on.
    if (pause) {
      pausing += 1;
      if (link.inner) pause = pause.then(() => ask({ do: "pause" })); // By the connection of these frames.
      quiet = pause.then(() => (pausing -= 1));
    }
    shownPast = true;
    if (!link.inner) beside.twin?.scrub?.(time, pause);
    const frame = timeline.show(time);
    if (frame) countVehicles(frame);
    recall(time);
  };
  /** Have the simulation go to the instant that is shown. @param {number} time */
  const settle = async (time) => {
    timeline.clear();
    if (!kept.frames.length || !present) return;
    scrub(time);
    const [before, after, part] = around(kept.frames, time);
    const steps = Math.round(before.steps + part * (after.steps - before.steps));
    const answer = await request({ do: "go", steps });
    beside.twin?.rest?.(); // Its pause may be answered later than this.
    if (shownPast && (answer.type === "refused" || present?.steps === steps)) still(); // It is only looked at; it was there already.
  };
  /** Show what the simulation is at. */
  const still = () => {
    shownPast = false;
    if (present) show(present);
    if (newest && isSame(stage.selected, newest)) why.show(newest);
  };
  /** Have the simulation go to the instant of a loop that is shown. */
  const unloop = async () => timeline.span.length === 2 && settle(Number(timeline.line.value));
  /** Go on from the instant that is shown, where the simulation can. @param {Record<string, any>} deed */
  const goOn = async (deed) => {
    await unloop();
    return request(deed);
  };
  let looping = 0;
  const timeline = new Timeline(stage, () => kept.frames, {
    scrub,
    settle,
    looped(on) {
      cancelAnimationFrame(looping);
      if (!on) return settle(Number(timeline.line.value));
      let then = performance.now();
      scrub(timeline.span[0]);
      const turn = (/** @type {number} */ now) => {
        if (timeline.span.length < 2) return;
        looping = requestAnimationFrame(turn);
        const speed = typeof state?.speed === "number" ? state.speed : 1;
        const time = timeline.within(Number(timeline.line.value) + (speed * Math.min(now - then, 100)) / 1000);
        timeline.show(time);
        recall(time);
        then = now;
      };
      looping = requestAnimationFrame(turn);
    },
  });
  /** Where it opens it is framed once its frame and its explanation are there, and not as on the way there. */
  const arrive = () => {
    if (!arriving || hurries || !(Math.abs((newest?.time ?? NaN) - (stage.after?.time ?? NaN)) < 1e-3)) return;
    [arriving, stage.approached, stage.dirty] = [false, null, true];
  };

  /** @param {import("./types.js").Frame} frame */
  const show = (frame) => {
    stage.receive(frame, hurries || arriving || !state?.playing); // To where it opens no vehicle moves in the picture.
    if (!stage.selected && !hurries) arriving = false;
    arrive();
    if (state?.playing && stage.telling.some(({ means }) => means === CHOSEN)) why.draw(); // Rings go along with vehicles.
    byId("clock").textContent = `t = ${frame.time.toFixed(1)} s`;
    countVehicles(frame);
    const frames = kept.frames;
    const first = Math.max(frames[0]?.time ?? frame.time, past.first?.[1] ?? -Infinity);
    timeline.reach(Math.min(first, frame.time), Math.max(frames.at(-1)?.time ?? 0, frame.time), frame.time);
    if (stage.pixel && (stage.pixel < pixel || stage.pixel > 4 * pixel)) want();
    canGoBack();
  };
  const canGoBack = () => (bar.back.disabled = !past.first || past.first[0] >= (present?.steps ?? 0));
  /** @param {number} by */
  const toEvent = (by) => {
    const event = timeline.next(by);
    if (!event) return;
    notice(`${event[1].toFixed(1)} s: ${event[3]}`);
    settle(event[1]);
  };
  const choose = (/** @type {import("./stage.js").VehicleKey | null} */ vehicle) => {
    stage.selected = vehicle;
    stage.dirty = true;
    if (!vehicle) why.show(null);
    else if (shownPast) recall(Number(timeline.line.value));
    choosing += 1;
    ask({ do: "select", population: vehicle?.population, id: vehicle ? vehicle.id : null }).then((answer) => {
      choosing -= 1;
      // The state that follows the choice may arrive before its answer or after it.
      if (!(answer.serial > state?.serial)) agree();
    });
  };
  /** The explanation of a vehicle that came before the state that selects it. @type {import("./why.js").Explanation | null} */
  let early = null;
  /** The vehicle that Python says is selected is explained, unless another choice is not answered yet. */
  const agree = () => {
    if (!state || choosing) return;
    stage.selected = selectedIn(state);
    if (early && isSame(stage.selected, early)) heard.why(early);
    early = null;
  };
  const trees = new Trees(ask);
  const plots = new Plots();
  let pixel = 0; // The smallest part of the picture [m], as Python knows it.
  /** Have Python tell what is shown, and no more. */
  const want = () => {
    const { why: forces, near, sketch, velocity: arrows } = stage.layers;
    const velocity = arrows || stage.colorBy === "speed";
    const all = stage.showsAll;
    why.draw();
    overview.refresh();
    grasp.mark();
    ask({
      do: "want",
      forces: all && forces,
      sketches: all && (near || sketch),
      velocity,
      timings: timings.wanted,
      colors: colors.wanted,
      pixel: (pixel = stage.pixel),
    });
  };
  /** The frame of which Python knows that it is seen. @type {import("./types.js").Frame | null} */
  let pictured = null;
  let [known, looked, later] = ["null", -Infinity, 0]; // What Python knows of the view, since when, and a timer.
  /** Have Python send the vehicles that are seen; a few times a second, while the picture moves. */
  const look = () => {
    const planes = stage.view;
    if (JSON.stringify(planes) === known) return;
    const wait = planes ? looked + LOOKING - performance.now() : 0;
    clearTimeout(later);
    later = wait > 0 ? setTimeout(look, wait) : 0;
    if (wait > 0) return;
    [known, looked] = [JSON.stringify(planes), performance.now()];
    ask({ do: "look", planes });
  };
  stage.seen = () => {
    whole.textContent = stage.following ? WHOLE.all : WHOLE.near;
    whole.disabled = !stage.selected && !stage.following;
    why.follow.checked = stage.following;
    look();
    if (!state?.rests || pictured === present || (stage.selected && !why.told)) return;
    pictured = present;
    ask({ do: "shown", steps: present?.steps });
  };
  const colors = new Colors(stage, want);
  const shown = layers(stage, colors, want);
  const overview = new Populations(stage, shown.told);
  const timings = new Timings(want);
  const grasp = new Grasp(stage, async (handle, position, done) => {
    await request({ do: "put", handle, position, done });
  });
  section("About", false, hint("", { id: "about" }));
  touch(stage, {
    choose,
    move: (vehicle, position) => request({ do: "move", ...vehicle, position }),
    add: (position) => request({ do: "add", population: stage.selected?.population, position }),
    grasp,
  });
  Object.assign(stage, { scrub, rest: async () => (await quiet) || still(), twin: () => beside.twin });
  let [aside, asking] = [[0, 0], false]; // How far the chosen vehicle is still to be moved [pixels of CSS], and whether it is.
  /** Move the chosen vehicle, as a drag does; presses meanwhile go together. @param {number} x @param {number} y */
  const nudge = (x, y) => async () => {
    aside = [aside[0] + x, aside[1] + y];
    if (asking) return;
    asking = true;
    while (aside.some(Boolean)) {
      const [dx, dy] = aside;
      aside = [0, 0];
      const { camera, selected } = stage;
      const place = selected && stage.placeOf(selected);
      const at = camera && place && onScreen(camera, place);
      if (at) await request({ do: "move", ...selected, position: camera.place(at[0] + dx, at[1] + dy, place) });
    }
    asking = false;
  };
  /** Whether a button may be pressed: until all is answered, the page may not have heard that it can. @param {HTMLButtonElement} it */
  const may = (it) => !it.disabled || waiting.size > 0;
  const keys = {
    ArrowRight: () => goOn({ do: "step" }),
    ArrowLeft: () => may(bar.back) && stepBack(),
    ",": () => toEvent(-1),
    ".": () => toEvent(1),
    "Ctrl+z": () => (may(undo) ? revert(undo) : notice(undo.title)),
    "Ctrl+y": () => (may(redo) ? revert(redo) : notice(redo.title)),
    r: () => again(),
    g: () => why.tour.next(),
    Escape: () => (why.tour.on ? why.tour.end() : choose(null)),
    "Ctrl+ArrowLeft": nudge(-NUDGE, 0),
    "Ctrl+ArrowRight": nudge(NUDGE, 0),
    "Ctrl+ArrowUp": nudge(0, -NUDGE),
    "Ctrl+ArrowDown": nudge(0, NUDGE),
    Delete: () => stage.selected && request({ do: "remove", ...stage.selected }),
    ...sharedKeys(stage, choose, bar, timeline, shown, "live"),
  };
  listen(beside.keys(keys));

  /** @type {Record<string, (message: any) => void>} */
  const heard = {
    scene(scene) {
      for (const subject of ["opening", "preparing", "trouble"]) hold(subject, "");
      if (begun) bar.prepare("");
      stage.show(scene);
      stage.decorate("notes");
      introduce(scene);
      beside.offer(scene.others ?? []);
      byId("about").textContent = scene.shows;
      shown.seconds.value = String(stage.trails.seconds);
      plots.clear();
      if (scene.run !== run) {
        kept.clear();
        whys = [];
        if (lost) notice(ANEW);
      }
      [run, lost, newest] = [scene.run, false, null];
      timeline.clear();
      timeline.tell([]);
      [present, shownPast] = [null, false];
      overview.clear();
      grasp.show({ handles: [] });
      const before = colors.wanted;
      colors.offer(scene.colorings ?? {});
      if (colors.wanted !== before) want();
      known = "null";
      if (!choosing) stage.selected = null;
      early = null;
      why.show(null);
    },
    handles(told) {
      grasp.show(told);
      why.things = told.handles.length > 0;
    },
    moved: (told) => grasp.moved(told),
    notes({ elements, problem }) {
      stage.decorate("notes", elements);
      if (problem && problem !== lacking) notice(problem);
      lacking = problem;
    },
    forces: (told) => overview.heardForces(told),
    sketches: (told) => overview.heardSketches(told),
    colors: (told) => colors.heard(told),
    timings: (told) => timings.show(told),
    trees({ populations }) {
      trees.show(populations);
      why.tour.learn(populations);
    },
    opening({ time }) {
      hold("opening", time === null ? "" : `Going to ${time} s, where it opens`);
      [hurries, arriving] = [time !== null, true];
    },
    preparing({ number, count: all, seconds }) {
      if (number || begun) bar.prepare(number ? "Compiling" : "");
      const left = seconds === null ? "" : `, about ${Math.max(1, Math.round(seconds))} s`;
      const [does, place] = all ? ["Compiling", `: ${number} of ${all}${left}`] : ["Preparing: compiling", ""];
      hold("preparing", number ? `${does} for this machine, once only${place}` : "", all ? number / all : null);
    },
    state(told) {
      state = told;
      if (!told.playing) hold("opening", ""); // A pause ends the way to where it opens.
      hurries &&= told.playing;
      if (told.rests) stage.dirty = true; // Its picture is answered.
      if (told.address !== null) link.name?.(told.address);
      beside.show(told);
      bar.show(told);
      if (!told.playing) begin();
      if (!told.playing) why.reason.flush();
      if (stage.still === told.playing) [stage.still, stage.dirty] = [!told.playing, true];
      record.textContent = RECORD[told.recording];
      if (page.root.activeElement !== n) n.value = String(told.n);
      if (page.root.activeElement !== seed) seed.value = String(told.seed);
      n.disabled = seed.disabled = !told.again;
      agree();
      if (!stage.selected && why.told) why.show(null);
    },
    past(told) {
      past = told;
      undo.disabled = !told.undo;
      undo.title = told.undo
        ? `Back to before ${told.undo} (ctrl and z)`
        : "There is nothing to undo: nothing was changed before this instant";
      redo.disabled = !told.redo;
      redo.title = told.redo
        ? `Once more after ${told.redo} (ctrl and y)`
        : "There is nothing to do again: nothing was undone";
      timeline.tell(told.events);
      canGoBack();
    },
    scenery: ({ elements }) => stage.furnish(elements),
    meters: (told) => plots.show(told),
    why(now) {
      if (!isSame(stage.selected, now)) return void (early = now);
      [newest, early] = [now, null];
      arrive();
      if (shownPast) return;
      if (!isSame(whys.at(-1), now)) whys = [];
      const [last, at] = [whys.at(-1)?.time ?? -Infinity, why.bodyOf(now)?.position];
      if (at && Math.abs(now.time - last) >= OFTEN) whys.push({ ...now, at });
      if (whys.length > MOST) whys.shift();
      why.show(now);
    },
    trouble: ({ message }) => hold("trouble", message),
    verdict: (told) => plots.judge(told),
    refused({ re, message }) {
      if (!waiting.has(re)) notice(message);
    },
  };

  const hear = (/** @type {string | ArrayBuffer} */ data) => {
    if (typeof data !== "string") {
      const frame = frameIn(data);
      if (Array.isArray(frame) || frame.steps > 0) begin();
      if (Array.isArray(frame)) return frame.forEach((each) => stage.trails.add(each));
      timings.runs(frame.pace, stage.interval);
      if (frame.branch !== kept.branch) whys = whys.filter(({ steps = 0 }) => steps <= (frame.cut ?? 0));
      kept.add(frame);
      // While the past is looked at, the simulation stands still, unless it is on the way there.
      if (shownPast && (pausing || (present?.steps === frame.steps && present.branch === frame.branch))) {
        present = frame;
        return;
      }
      const repeats = timeline.span.length === 2 && present?.branch === frame.branch;
      if (shownPast && !repeats && !link.inner) beside.twin?.rest?.(); // Its pause may be answered later than this.
      [present, shownPast] = [frame, repeats];
      if (repeats) return;
      if (timeline.span.length === 2) timeline.clear(); // Another run follows.
      show(frame);
      return;
    }
    const message = messageIn(data);
    heard[message.type]?.(message);
    const resolve = waiting.get(message.re);
    if (resolve) {
      waiting.delete(message.re);
      resolve(message);
    }
  };
  /** The simulation stands still since the connection was lost, and Python has forgotten what is wanted. */
  const regained = (plays = true) => {
    const unanswered = [...waiting.values()];
    waiting.clear();
    lost = true;
    for (const resolve of unanswered) resolve({ type: "lost" });
    known = "null";
    want();
    look();
    beside.again();
    if (plays && state?.playing && !link.inner) ask({ do: "play" });
  };
  link.returned?.(async (address) => {
    const answer = await ask({ do: "visit", address });
    if (answer.type === "refused") window.location.reload(); // It is too long ago: it begins again with these values.
  });
  link.open(hear, regained);
}
