// The way to a simulation behind a server: a WebSocket to where this page is from.

import { byId } from "./controls.js";
import { notice } from "./tree.js";

/**
 * The way to Python, for what is live.
 * @typedef {object} Link
 * @property {(hear: (data: string | ArrayBuffer) => void) => void} open has `hear` called with all that Python tells
 * @property {(message: Record<string, any>) => void} send
 */

/** @returns {Link} */
export function socketLink() {
  const asked = new URLSearchParams(location.search);
  const token = asked.get("token") ?? "";
  const socket = new WebSocket(`ws://${location.host}/live?token=${encodeURIComponent(token)}`);
  socket.binaryType = "arraybuffer";
  const home = /** @type {HTMLAnchorElement} */ (byId("home"));
  home.hidden = false;
  home.href = `/gallery?token=${encodeURIComponent(token)}`;
  const send = (/** @type {Record<string, any>} */ message) => socket.send(JSON.stringify(message));
  return {
    open(hear) {
      socket.addEventListener("message", ({ data }) => hear(data));
      socket.addEventListener("open", () => {
        const wanted = asked.get("scene");
        if (wanted) send({ do: "open", name: wanted });
      });
      socket.addEventListener("close", () => notice("The connection to Python has ended. Start steersman view again."));
    },
    send,
  };
}
