// The beginning: a recording that lies in the page is played, else the server of this page is asked.

import { Stage } from "./stage.js";
import { byId } from "./controls.js";
import { labels } from "./labels.js";
import { Lens } from "./lens.js";
import { live } from "./live.js";
import { hold } from "./notices.js";
import { recorded } from "./recorded.js";
import { socketLink } from "./socket.js";

try {
  const stage = new Stage(/** @type {HTMLCanvasElement} */ (byId("canvas")));
  labels(stage);
  stage.lens = new Lens(stage);
  Object.assign(window, { steersman: stage }); // For the console of the browser, and for tests.
  const recording = document.getElementById("recording")?.textContent;
  if (recording) await recorded(stage, recording);
  else live(stage, socketLink());
} catch (error) {
  hold("trouble", error instanceof Error ? error.message : String(error));
  throw error;
}
