// One line over the page for what concerns all of it.

import { find } from "./find.js";

const box = find("notice", HTMLElement);
const words = box.querySelector("p");
const close = box.querySelector("button");

/** @param {string} text */
export function showNotice(text) {
  if (words) words.textContent = text;
  box.hidden = false;
}

/** @param {string} [text] only if it is this one that is shown */
export function hideNotice(text) {
  if (text === undefined || words?.textContent === text) box.hidden = true;
}

close?.addEventListener("click", () => hideNotice());
