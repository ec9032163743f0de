// "Your moves": whether they solve the painted puzzle.

import { ApiError, api, told } from "./api.js";
import { make, pointedAt } from "./elements.js";
import { find } from "./find.js";
import { model } from "./model.js";
import { unpaintedWords } from "./scheme.js";
import { showWalk } from "./summary.js";
import { t } from "./texts.js";

const form = find("verify", HTMLFormElement);
const field = find("your-moves", HTMLInputElement);
const result = find("verified", HTMLElement);
const fold = find("trying", HTMLDetailsElement);

/** Counts the requests: an answer that comes late may be out of date. */
let asked = 0;

export function startVerifying() {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    verify(field.value);
  });
  const forget = () => {
    asked++;
    say("", "");
  };
  for (const event of ["puzzle", "stickers"]) model.addEventListener(event, forget);
  field.addEventListener("input", forget);
}

/**
 * Has moves checked by the server, and shows them.
 * @param {string} text
 * @returns {Promise<boolean>} false if something is wrong with them, which is told beside them
 */
export async function verify(text) {
  const { puzzle, scheme, stickers } = model;
  if (!puzzle || !scheme) return true;
  const number = ++asked;
  field.value = text;
  const missing = unpaintedWords(stickers);
  if (missing) {
    fold.open = true;
    say("wrong", missing);
    return false;
  }
  try {
    const body = { stickers, scheme: scheme.symbols || null, moves: text };
    const answer = await api.post(`puzzles/${encodeURIComponent(puzzle.name)}/verify`, body);
    if (number === asked) show(answer);
    return true;
  } catch (cause) {
    if (number !== asked) return true;
    if (!(cause instanceof ApiError)) throw cause;
    fail(cause, text);
    return cause.kind === "unreachable";
  }
}

/**
 * @param {{solved: boolean, moves: string[], lengths: Record<string, number>, frames: string[],
 *   setup: string | null}} answer
 */
function show({ solved, moves, lengths, frames, setup }) {
  const all = Object.entries(lengths).map(([metric, length]) => `${length} ${metric}`);
  const words = t(solved ? "verify.solved" : "verify.not-solved", { count: moves.length });
  say(solved ? "good" : "wrong", words);
  const counts = all.length ? ` (${all.join(", ")})` : "";
  showWalk({ moves, frames, setup, solved }, `${t("verify.result", { words })}${counts}`);
}

/** @param {ApiError} error @param {string} text */
function fail(error, text) {
  fold.open = true;
  const { column, token } = error.record;
  say("wrong", told(error.record));
  if (column === undefined) return;
  result.append(pointedAt(text, column, token));
  field.setAttribute("aria-invalid", "true");
}

/** @param {string} kind a class: "good", "wrong" or none @param {string} words */
function say(kind, words) {
  field.removeAttribute("aria-invalid");
  result.className = kind;
  result.replaceChildren(...(words ? [make("p", {}, words)] : []));
}
