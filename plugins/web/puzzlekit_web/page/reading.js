// A scramble or stickers as text: from the field, or pasted anywhere.

import { ApiError, api } from "./api.js";
import { copy } from "./copying.js";
import { make, pointedAt } from "./elements.js";
import { find } from "./find.js";
import { isField } from "./keys.js";
import { model } from "./model.js";
import { namedScheme } from "./scheme.js";
import { said, t } from "./texts.js";

const form = find("read", HTMLFormElement);
const field = find("read-text", HTMLTextAreaElement);
const label = find("read-label", HTMLLabelElement);
const answer = find("read-answer", HTMLElement);

/**
 * @typedef {object} Reading the server's reading of a text
 * @property {"moves" | "stickers"} kind
 * @property {string} facelets
 * @property {string | null} scheme
 * @property {string[]} warnings
 */

const PAUSE = 400; // ms without a change

let timer = 0;
/** Counts the requests: a late answer may be out of date. */
let asked = 0;
/** The text whose position was shown last. */
let shown = "";
/** The symbols of the stickers that were shown last. */
let symbols = model.scheme?.symbols;
/** Whether the stickers change to what the text says. */
let taking = false;
/** Whether the text is for another puzzle than the next one; that of the first may be there early. */
let outdated = false;

/** @param {string} text @param {boolean} [wrong] */
function say(text, wrong = false) {
  answer.append(make("p", { class: wrong ? "wrong" : "" }, text));
}

/**
 * The scheme for reading a text: the chosen one if it has all letters, so that nothing is guessed.
 * None for face letters and moves.
 * @param {string} text
 * @returns {string | undefined}
 */
function schemeFor(text) {
  const known = model.scheme?.symbols ?? "";
  const letters = text.replace(/[\s?]/g, "").toUpperCase();
  return [...letters].every((letter) => known.includes(letter)) ? known : undefined;
}

function forget() {
  answer.replaceChildren();
  field.removeAttribute("aria-invalid");
}

/**
 * Reads the text and shows its position.
 * @param {boolean} [typing] whether more may come, so that nothing is said of what is wrong
 * @returns {Promise<boolean>} false if it is wrong
 */
async function read(typing = false) {
  await model.first;
  const { puzzle } = model;
  const typed = field.value;
  // One character for each, so that columns do not change.
  const text = typed.replace(/[^\S\n]/g, " ");
  forget();
  clearTimeout(timer);
  const number = ++asked;
  if (!puzzle || !text.trim()) return true;
  const scheme = puzzle.written ? undefined : schemeFor(text);
  try {
    const body = scheme === undefined ? { text } : { text, scheme };
    /** @type {Reading} */
    const reading = await api.post(`puzzles/${puzzle.name}/read`, body);
    if (number === asked) take(reading, typed);
    return true;
  } catch (error) {
    if (number !== asked) return true;
    if (!(error instanceof ApiError)) throw error;
    if (typing || error.kind === "unreachable") return true;
    field.setAttribute("aria-invalid", "true");
    say(said(error.message), true);
    const { column, token, hint } = error.record;
    if (column) answer.append(pointedAt(text, column, token));
    if (hint && !error.message.includes(hint)) say(said(hint));
    return false;
  }
}

/** Reads a text that was typed but not read yet. @returns {Promise<boolean>} false if it is wrong */
export async function readTyped() {
  return field.value === shown || read();
}

/** @param {Reading} reading @param {string} typed the text, which may have been changed since */
function take({ kind, facelets, scheme, warnings }, typed) {
  const { puzzle } = model;
  if (!puzzle || !model.scheme) return;
  const named = scheme === null ? null : namedScheme(puzzle, scheme);
  if (named && named.symbols !== model.scheme.symbols) model.setScheme(named);
  const source = kind === "moves" ? "program" : "paint";
  taking = true;
  model.setStickers(model.scheme.fromFaces(facelets), source);
  taking = false;
  shown = typed;
  follow();
  say(t(puzzle.written ? "read.written" : kind === "moves" ? "read.moves" : "read.stickers"));
  for (const warning of warnings) say(said(warning));
}

/** Replaces the message about the last text. @param {string} text */
export function sayOfText(text) {
  forget();
  if (text) say(text);
}

/**
 * Shows the scramble that leads to the painted state.
 * @param {string} scramble
 * @param {string} [about] what is said of it
 */
export function offerScramble(scramble, about) {
  field.value = shown = scramble;
  const usual = t(model.puzzle?.written ? "random.written" : "random.shown");
  const words = make("span", {}, about ?? usual);
  const button = make("button", { type: "button", class: "plain" }, t("random.copy"));
  button.addEventListener("click", () => copy(scramble, words, t("copied.scramble")));
  answer.replaceChildren(make("p", {}, words, " ", button));
}

/** While someone types, the puzzle follows. */
function follow() {
  clearTimeout(timer);
  if (field.value !== shown) timer = setTimeout(read, PAUSE, true);
}

field.addEventListener("input", follow);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  read();
});
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey) return;
  event.preventDefault();
  form.requestSubmit();
});
document.addEventListener("paste", (event) => {
  const text = event.clipboardData?.getData("text/plain");
  if (!text?.trim() || isField(event.target)) return;
  event.preventDefault();
  field.value = text.trim();
  read();
});
// A message about a text stays until the stickers change. What is painted after the text replaces
// it, so the text goes, unless someone is typing. With other symbols, a text that waits to be read
// still does.
model.addEventListener("stickers", () => {
  asked++;
  forget();
  if (model.scheme?.symbols === symbols) {
    clearTimeout(timer);
    if (!taking && document.activeElement !== field) field.value = "";
    shown = field.value;
  } else follow();
  symbols = model.scheme?.symbols;
});
model.addEventListener("puzzle", () => {
  label.textContent = t(model.puzzle?.written ? "paint.position" : "paint.text");
  field.placeholder = model.puzzle?.example ?? "";
  if (outdated) field.value = "";
  outdated = true;
  shown = "";
});
