// Film: what the canvas shows, as a video that the browser itself makes.

import { download, html } from "./controls.js";

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
      running = null;
      button.textContent = "Film";
      return;
    }
    /** @type {Blob[]} */
    const parts = [];
    const recorder = new MediaRecorder(stage.canvas.captureStream(RATE), {
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
