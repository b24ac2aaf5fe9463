// The connection to a simulation behind a server: a WebSocket to the origin of this page, opened again when it is lost.

import { byId } from "./controls.js";
import { hold } from "./notices.js";

/**
 * The connection to Python of a live page.
 * @typedef {object} Link
 * @property {(hear: (data: string | ArrayBuffer) => void, regained?: (plays?: boolean) => void) => void} open has `hear`
 *   called with all messages of Python, and `regained` when a lost connection is there again; not to play on with false
 * @property {(message: Record<string, any>) => void} send
 * @property {(address: string) => void} [name] makes the address of the page reproduce what it shows
 * @property {(back: (address: string) => void) => void} [returned] hears of each way back or on to another address
 * @property {(address: string) => void} [visit] opens another address
 * @property {string} [other] the page of what is shown beside this one
 * @property {boolean} [inner] whether this page is shown beside another one, which moves its time
 */

const LONGEST = 5000; // Between two attempts to connect again [ms].
const GESTURE = 1500; // Changes that follow each other sooner are one [ms].
const LOST =
  "The connection to Python is lost. Trying again; if steersman was ended, start it again with the same --port.";

/** @returns {Link} */
export function socketLink() {
  const options = new URLSearchParams(location.search);
  const token = encodeURIComponent(options.get("token") ?? "");
  const of = options.get("of");
  const own = Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join("");
  const tab = of ? `${of}~` : own;
  const home = /** @type {HTMLAnchorElement} */ (byId("home"));
  home.hidden = Boolean(of);
  home.href = `/gallery?token=${token}`;
  /** @type {WebSocket | null} */
  let socket = null;
  let [refused, opened, wait] = [false, false, 250];
  let [named, changed] = [false, -Infinity];
  let hear = (/** @type {string | ArrayBuffer} */ _data) => {};
  let regained = () => {};

  const connect = () => {
    const made = new WebSocket(`ws://${location.host}/live${location.search}&tab=${tab}`);
    made.binaryType = "arraybuffer";
    made.addEventListener("message", ({ data }) => {
      if (typeof data === "string" && data.startsWith('{"type": "closed"')) {
        refused = true; // The address cannot be shown: another attempt would end in the same way.
        hold("opening", "");
        hold("connection", JSON.parse(data).message);
      } else hear(data);
    });
    made.addEventListener("open", () => {
      hold("connection", "");
      socket = made;
      if (opened) regained();
      [opened, wait] = [true, 250];
    });
    made.addEventListener("close", () => {
      socket = null;
      if (refused) return;
      hold("connection", LOST);
      setTimeout(connect, wait);
      wait = Math.min(2 * wait, LONGEST);
    });
  };
  return {
    open(listener, reconnected = () => {}) {
      [hear, regained] = [listener, reconnected];
      const scene = new URLSearchParams(location.search).get("scene");
      hold("opening", `Opening ${scene ? scene.replaceAll("_", " ") : "the world"} ...`);
      connect();
    },
    send(message) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    name(address) {
      const search = `?${address}${address && "&"}token=${token}`;
      const first = !named;
      named = true;
      if (search === location.search || of) return;
      const now = performance.now();
      const plain = (/** @type {string} */ query) => query.replace(/\bset=[^&]*&/g, "");
      // A way back leads to the values before; those between, while a slider is moved, are none of its steps.
      const step = !first && now - changed > GESTURE && plain(search) === plain(location.search);
      window.history[step ? "pushState" : "replaceState"](null, "", search);
      if (!first) changed = now;
    },
    returned(back) {
      window.addEventListener("popstate", () => {
        changed = performance.now();
        const query = new URLSearchParams(location.search);
        query.delete("token");
        back(String(query));
      });
    },
    visit: (address) => window.location.assign(`?${address}&token=${token}`),
    other: `?token=${token}&of=${tab}`,
    inner: Boolean(of),
  };
}
