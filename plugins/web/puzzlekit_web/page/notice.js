// A line above the page for messages about the whole page.

import { ApiError } from "./api.js";
import { make } from "./elements.js";
import { find } from "./find.js";
import { said } from "./texts.js";

const box = find("notice", HTMLElement);
const words = box.querySelector("p");
const close = box.querySelector("button");

/** @param {string} text */
export function showNotice(text) {
  if (words) words.textContent = text;
  box.hidden = false;
}

/**
 * Asks for one of several names.
 * @param {string} text
 * @param {string[]} names
 * @param {(name: string) => void} chosen
 */
export function askNotice(text, names, chosen) {
  const menu = make("select", { "aria-label": text }, new Option("", ""));
  menu.append(...names.map((name) => new Option(name, name)));
  menu.addEventListener("change", () => chosen(menu.value));
  showNotice(text);
  words?.append(" ", menu);
}

/**
 * Shows the error of a request. If there was no answer, another message is already shown.
 * @param {unknown} error
 * @returns {boolean} whether there was an answer
 */
export function showError(error) {
  if (!(error instanceof ApiError)) throw error;
  if (error.kind === "unreachable") return false;
  showNotice(said(error.message));
  return true;
}

/** @param {string} [text] only if it is this one that is shown */
export function hideNotice(text) {
  if (text === undefined || words?.textContent === text) box.hidden = true;
}

close?.addEventListener("click", () => hideNotice());
