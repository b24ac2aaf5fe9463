// Film: what is seen, with its words and the strip below it, as a video that the browser itself makes, and as a picture.

import { button, byId, download, html } from "./controls.js";
import { page } from "./root.js";

/** @param {import("./stage.js").Stage} stage */
export function pictureButton(stage) {
  return button("Picture", "Save the picture, with its words, as a PNG", () => savePicture(stage));
}

/** Kinds of videos, the best first. */
const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

const RATE = 30;

const [INFO, DURATION] = [0x1549a966, 0x4489]; // Elements of a WebM: about all of it, and how long it is.

/**
 * A WebM file that says how long it is: browsers leave that out, and players have no timeline then.
 * @param {ArrayBuffer} file
 * @param {number} seconds
 * @returns {BlobPart[]} unchanged where it is another kind of file, or says so already
 */
export function lasting(file, seconds) {
  const view = new DataView(file);
  let at = 0;
  while (at + 16 < Math.min(file.byteLength, 2000) && view.getUint32(at) !== INFO) at += 1;
  if (at + 16 >= Math.min(file.byteLength, 2000)) return [file];
  // The size of the element: as many bytes as there are zeros before the first bit, and one.
  const long = Math.clz32(view.getUint8(at + 4)) - 23;
  let size = view.getUint8(at + 4) & ((1 << (8 - long)) - 1);
  for (let k = 1; k < long; k++) size = 256 * size + view.getUint8(at + 4 + k);
  const [from, to] = [at + 4 + long, at + 4 + long + size];
  for (let k = from; k + 1 < to; k++)
    if (view.getUint16(k) === DURATION && view.getUint8(k + 2) === 0x88) return [file];
  const head = new DataView(new ArrayBuffer(8));
  head.setUint32(0, 0x01000000); // Seven bytes of size follow.
  head.setUint32(4, size + 11);
  const said = new DataView(new ArrayBuffer(11));
  said.setUint16(0, DURATION);
  said.setUint8(2, 0x88); // Eight bytes.
  said.setFloat64(3, 1000 * seconds);
  return [file.slice(0, at + 4), head, file.slice(from, to), said, file.slice(to)];
}

/**
 * A button that begins a video of the picture, and saves it when it is pressed again.
 * @param {import("./stage.js").Stage} stage
 */
export function filmButton(stage) {
  const kind = "MediaRecorder" in window ? KINDS.find((each) => MediaRecorder.isTypeSupported(each)) : undefined;
  if (!kind) return button("Film", "This browser makes no videos; steersman video does", undefined, { disabled: true });
  /** @type {MediaRecorder | null} */
  let running = null;
  const made = button("Film", "Film the picture from now on; pressed again, save the video", () => {
    if (running) {
      running.stop();
      stage.filmed = undefined;
      running = null;
      made.textContent = "Film";
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
    const began = performance.now();
    recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
    recorder.addEventListener("stop", async () => {
      const seconds = (performance.now() - began) / 1000;
      const whole = lasting(await new Blob(parts).arrayBuffer(), seconds);
      const ending = kind.startsWith("video/webm") ? "webm" : "mp4";
      download(whole, `${stage.scene?.name || "world"}.${ending}`, kind);
    });
    recorder.start(1000);
    running = recorder;
    stage.dirty = true; // The first picture, even if nothing moves.
    made.textContent = "Save film";
  });
  return made;
}

/**
 * What was just painted, with the words over it, and below it the sentence, the legend and the scale.
 * @param {import("./stage.js").Stage} stage
 * @param {HTMLCanvasElement} sheet
 */
function composed({ canvas }, sheet) {
  const around = canvas.getBoundingClientRect();
  const ratio = canvas.width / around.width;
  const [width, height] = [
    canvas.width,
    Math.round(ratio * (byId("strip").getBoundingClientRect().bottom - around.top)),
  ];
  if (sheet.width !== width || sheet.height !== height) [sheet.width, sheet.height] = [width, height];
  const pen = /** @type {CanvasRenderingContext2D} */ (sheet.getContext("2d"));
  const paper = getComputedStyle(byId("view")).getPropertyValue("--paper");
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = paper;
  pen.fillRect(0, canvas.height, width, height);
  pen.drawImage(canvas, 0, 0);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (
    page.root.querySelectorAll("#labels i.leader, #lens i.leader")
  )) {
    const { left, top, width: long, color, opacity, transform } = getComputedStyle(each);
    const { a, b } = new window.DOMMatrix(transform);
    const origin = /** @type {HTMLElement} */ (each.parentElement).getBoundingClientRect();
    const [x, y] = [parseFloat(left) + origin.left - around.left, parseFloat(top) + origin.top - around.top];
    const size = parseFloat(long);
    pen.strokeStyle = color;
    [pen.lineWidth, pen.globalAlpha] = [1, Number(opacity)];
    pen.stroke(new window.Path2D(`M${x} ${y}l${a * size} ${b * size}`));
    pen.globalAlpha = 1;
  }
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (
    page.root.querySelectorAll(
      "#labels span, #lens span, #legend > span, #legend i, #scale:not([hidden]), #reason:not([hidden])",
    )
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
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    [pen.strokeStyle, pen.lineWidth, pen.lineJoin] = [paper, 3, "round"];
    const inset = parseFloat(style.paddingLeft) || 0;
    const [left, text] = each.matches("#legend > span")
      ? [x + 15, each.innerText]
      : [x + inset, each.textContent ?? ""];
    const lines = each.matches("#labels span, #lens span, #reason")
      ? linesOf(pen, text, box.width - 2 * inset)
      : [text];
    lines.forEach((line, k) => {
      const at = y + ((k + 0.76) * box.height) / lines.length - (each.id === "scale" ? 3 : 0);
      pen.strokeText(line, left, at);
      pen.fillText(line, left, at);
    });
  }
}

/**
 * A text in lines that are no longer than allowed, as the browser breaks them.
 * @param {{measureText: (text: string) => {width: number}}} pen
 * @param {string} text
 * @param {number} wide
 */
export function linesOf(pen, text, wide) {
  const [first, ...others] = text.split(" ");
  const lines = [first];
  for (const word of others) {
    const longer = `${lines[lines.length - 1]} ${word}`;
    if (pen.measureText(longer).width <= wide + 1) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
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
