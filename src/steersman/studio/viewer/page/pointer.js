// Mouse, fingers and keys: they move the camera, choose vehicles and move those that are chosen.

import { isSame } from "./frames.js";

/** @typedef {import("./stage.js").Stage} Stage */

/**
 * @typedef {object} Hands
 * @property {(vehicle: import("./stage.js").VehicleKey | null) => void} choose
 * @property {(vehicle: import("./stage.js").VehicleKey, place: number[]) => void} move
 * @property {(place: number[]) => void} [add]
 * @property {import("./grasp.js").Grasp} [grasp] of things that can be taken, too
 */

const CLICK = 5; // Pixels that a pointer may move while it clicks.

/**
 * Let a stage be touched.
 * @param {Stage} stage
 * @param {Hands} hands
 */
export function touch(stage, hands) {
  const canvas = stage.canvas;
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  let moved = 0;
  let spread = 0;
  /** @type {import("./stage.js").VehicleKey | null} */
  let held = null;
  let holding = false;
  let byMouse = true; // What was pressed last. A double tap is a careless tap, and adds no vehicle.
  const { grasp } = hands;

  const at = (/** @type {MouseEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    byMouse = event.pointerType !== "touch";
    const place = at(event);
    fingers.set(event.pointerId, place);
    if (fingers.size === 1) {
      moved = 0;
      held = isChosen(stage, stage.vehicleAt(place.x, place.y)) ? stage.selected : null;
      const thing = held || event.shiftKey || event.button ? null : grasp?.at(place.x, place.y);
      if (thing) grasp?.take(thing, place.x, place.y);
      holding = Boolean(thing);
      stage.held = Boolean(held || thing);
    } else if (holding) {
      holding = false; // A second finger: the picture is meant.
      grasp?.drop(true);
    }
    spread = apart(fingers);
  });

  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    const camera = stage.camera;
    if (!before) hover(stage, grasp, at(event), event.shiftKey);
    if (!before || !camera) return;
    const place = at(event);
    const [dx, dy] = [place.x - before.x, place.y - before.y];
    moved += Math.hypot(dx, dy);
    fingers.set(event.pointerId, place);
    if (fingers.size === 2) {
      const now = apart(fingers);
      const [one, two] = [...fingers.values()];
      if (spread > 0) stage.move("zoom", now / spread, (one.x + two.x) / 2, (one.y + two.y) / 2);
      stage.move("pan", dx / 2, dy / 2);
      spread = now;
    } else if (holding) {
      if (moved > CLICK) grasp?.hold(place.x, place.y);
    } else if (moved > CLICK && held) {
      const there = stage.placeOf(held);
      if (there) hands.move(held, camera.place(place.x, place.y, there));
    } else if (moved > CLICK) {
      for (const each of stage.both) each.following = false;
      stage.move(event.shiftKey || event.buttons & 6 ? "pan" : "drag", dx, dy);
    }
    stage.dirty = true;
  });

  const release = (/** @type {PointerEvent} */ event) => {
    const place = fingers.get(event.pointerId);
    if (place && fingers.size === 1 && moved <= CLICK && event.type === "pointerup")
      hands.choose(stage.vehicleAt(place.x, place.y));
    if (holding && fingers.size === 1) {
      holding = false;
      grasp?.drop(moved <= CLICK || event.type !== "pointerup");
    }
    fingers.delete(event.pointerId);
    held = null;
    [stage.held, stage.dirty] = [false, true];
  };
  canvas.addEventListener("pointerleave", () => grasp?.hover(null));
  canvas.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !holding) return;
    holding = false;
    grasp?.drop(true);
  });
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("dblclick", (event) => {
    const { x, y } = at(event);
    if (byMouse && stage.camera && !stage.vehicleAt(x, y)) hands.add?.(stage.camera.place(x, y));
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { x, y } = at(event);
      const step = event.deltaMode === 1 ? 30 * event.deltaY : event.deltaY;
      stage.move("zoom", Math.exp(-0.0016 * step), x, y);
    },
    { passive: false },
  );
}

/**
 * @param {Stage} stage
 * @param {import("./stage.js").VehicleKey | null} vehicle
 */
const isChosen = ({ selected }, vehicle) => vehicle !== null && isSame(vehicle, selected);

/** Vehicles up to which it is looked for one under a pointer that only passes by. */
const FEW = 20000;

/**
 * Show what can be taken, or chosen, under the pointer.
 * @param {Stage} stage
 * @param {import("./grasp.js").Grasp | undefined} grasp
 * @param {{x: number, y: number}} place
 * @param {boolean} shift
 */
function hover(stage, grasp, { x, y }, shift) {
  const vehicle = stage.count <= FEW ? stage.vehicleAt(x, y) : null;
  const own = isChosen(stage, vehicle);
  const thing = own || shift ? null : (grasp?.at(x, y) ?? null);
  grasp?.hover(thing);
  const style = stage.canvas.style;
  style.cursor = own || thing ? "move" : vehicle ? "pointer" : "";
  stage.canvas.title = thing ? `${thing.label} (drag it elsewhere)` : "";
}

/** @param {Map<number, {x: number, y: number}>} fingers */
function apart(fingers) {
  const [one, two] = [...fingers.values()];
  return two ? Math.hypot(one.x - two.x, one.y - two.y) : 0;
}
