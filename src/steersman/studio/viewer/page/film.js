// Film: what is seen, with its words, as a video that the browser itself makes, and as a picture.

import { byId, download, html } from "./controls.js";
import { page } from "./root.js";

/** @param {import("./stage.js").Stage} stage */
export function pictureButton(stage) {
  const title = "Save the picture, with its words, as a PNG";
  return html("button", { textContent: "Picture", title, on: { click: () => savePicture(stage) } });
}

/** Kinds of videos, the best first. */
const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

const RATE = 30;

/**
 * A button that begins a video of the picture, and saves it when it is pressed again.
 * @param {import("./stage.js").Stage} stage
 */
export function filmButton(stage) {
  const kind = "MediaRecorder" in window ? KINDS.find((each) => MediaRecorder.isTypeSupported(each)) : undefined;
  const button = html("button", { textContent: "Film", disabled: !kind });
  button.title = kind
    ? "Film the picture from now on; pressed again, save the video"
    : "This browser makes no videos; steersman video does";
  if (!kind) return button;
  /** @type {MediaRecorder | null} */
  let running = null;
  button.addEventListener("click", () => {
    if (running) {
      running.stop();
      stage.filmed = undefined;
      running = null;
      button.textContent = "Film";
      return;
    }
    /** @type {Blob[]} */
    const parts = [];
    const sheet = html("canvas");
    stage.filmed = () => composed(stage, sheet);
    stage.filmed();
    const recorder = new MediaRecorder(sheet.captureStream(RATE), {
      mimeType: kind,
      videoBitsPerSecond: 12e6,
    });
    recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
    recorder.addEventListener("stop", () => {
      const ending = kind.startsWith("video/webm") ? "webm" : "mp4";
      download(URL.createObjectURL(new Blob(parts, { type: kind })), `${stage.scene?.name || "world"}.${ending}`);
    });
    recorder.start(1000);
    running = recorder;
    stage.dirty = true; // The first picture, even if nothing moves.
    button.textContent = "Save film";
  });
  return button;
}

/**
 * What was just painted, with the words and the scale over it.
 * @param {import("./stage.js").Stage} stage
 * @param {HTMLCanvasElement} sheet
 */
function composed({ canvas }, sheet) {
  const { width, height } = canvas;
  if (sheet.width !== width || sheet.height !== height) [sheet.width, sheet.height] = [width, height];
  const pen = /** @type {CanvasRenderingContext2D} */ (sheet.getContext("2d"));
  const around = canvas.getBoundingClientRect();
  const ratio = width / around.width;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.drawImage(canvas, 0, 0);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const paper = getComputedStyle(byId("view")).getPropertyValue("--paper");
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (
    page.root.querySelectorAll("#labels span, #legend > span, #legend i, #scale:not([hidden])")
  )) {
    const [box, style] = [each.getBoundingClientRect(), getComputedStyle(each)];
    const [x, y] = [box.left - around.left, box.top - around.top];
    pen.fillStyle = style.color;
    if (each.matches("i")) {
      pen.fillStyle = style.borderLeftColor;
      pen.fill(new window.Path2D(`M${x} ${y}l${box.width} ${box.height / 2}l${-box.width} ${box.height / 2}z`));
      continue;
    }
    if (each.id === "scale") pen.fillRect(x, y + box.height - 3, box.width, 3);
    pen.font = `${style.fontSize} ${style.fontFamily}`;
    [pen.strokeStyle, pen.lineWidth, pen.lineJoin] = [paper, 3, "round"];
    const [left, text] = each.matches("#legend > span") ? [x + 15, each.innerText] : [x, each.textContent ?? ""];
    pen.strokeText(text, left, y + 0.76 * box.height - (each.id === "scale" ? 3 : 0));
    pen.fillText(text, left, y + 0.76 * box.height - (each.id === "scale" ? 3 : 0));
  }
}

/**
 * Save the picture, with its words, as a PNG.
 * @param {import("./stage.js").Stage} stage
 */
function savePicture(stage) {
  stage.paint();
  const sheet = html("canvas");
  composed(stage, sheet);
  download(sheet.toDataURL("image/png"), `${stage.scene?.name || "world"}.png`);
}
