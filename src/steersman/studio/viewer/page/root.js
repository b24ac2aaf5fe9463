// Where the page stands: in a document of its own, or in the shadow of a notebook's cell, which changes this first.

/**
 * @typedef {object} Place
 * @property {Document | ShadowRoot} root what all elements of the page are found in
 * @property {(look: (dark: boolean) => void) => void} darkness has `look` called now and whenever the paper gets dark or light
 */

/** @type {Place} */
export const page = {
  root: document,
  darkness(look) {
    const media = window.matchMedia("(prefers-color-scheme: dark)");
    media.addEventListener("change", () => look(media.matches));
    look(media.matches);
  },
};
