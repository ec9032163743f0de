// The replay on the net: the puzzle after each move, in the painted colours.

import { ApiError, api } from "./api.js";
import { model } from "./model.js";
import { Net } from "./net.js";
import { Solid } from "./solid.js";
import { steps } from "./steps.js";
import { language, t } from "./texts.js";
import { turnInWords } from "./words.js";

/** @param {Element} container @param {Element} caption says in words which move it is */
export function startReplay(container, caption) {
  /** What each move does, as the server says it. @type {string[]} */
  let told = [];
  const net = new Net(container, { label: t("solution.net") });

  const show = () => {
    const { walk, at } = steps;
    const now = walk?.frames[at] ?? "";
    if (model.scheme) net.show(model.scheme.fromFaces(now), model.scheme);
    net.mark(changes(now, walk?.frames[at + 1] ?? ""), "moving");
    caption.textContent = walk ? words(walk, at, told) : "";
  };

  /** Asks for the words of a puzzle whose moves are not turns in space. */
  const ask = async () => {
    const { walk } = steps;
    const { puzzle } = model;
    told = [];
    if (!walk?.moves.length || !puzzle?.in_words) return;
    try {
      const path = `puzzles/${encodeURIComponent(puzzle.name)}/words`;
      const found = await api.post(path, { stickers: walk.frames[0], moves: walk.moves, language });
      if (steps.walk !== walk) return;
      told = found.words;
      show();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  };

  const layout = () => {
    if (model.puzzle) net.layout(model.puzzle);
    show();
  };
  model.addEventListener("puzzle", layout);
  model.addEventListener("scheme", show);
  steps.addEventListener("walk", ask);
  steps.addEventListener("walk", show);
  steps.addEventListener("step", show);
  layout();
}

/**
 * @param {string} now
 * @param {string} next "" if there is no next move
 * @returns {number[]} the facelets that look different
 */
function changes(now, next) {
  return next ? [...now].flatMap((letter, i) => (letter === next[i] ? [] : [i])) : [];
}

/**
 * @param {import("./steps.js").Walk} walk
 * @param {number} at
 * @param {string[]} told what each move does, as the server says it
 * @returns {string}
 */
function words({ moves, marks = [], solved, end = t(solved ? "solved" : "not-solved") }, at, told) {
  if (!moves.length) return solved ? `${end}: ${t("no-moves-needed")}` : t("no-moves");
  const place = { at, of: moves.length, move: moves[at - 1] ?? "" };
  const mark = marks.find(({ first, last }) => at >= first && at < last);
  const step = mark ? `${mark.name} · ` : "";
  const here = step + (at ? t("step.at", place) : t("step.start"));
  const next = moves[at];
  if (next === undefined) return `${here} · ${end}`;
  const what = told[at] || inWords(next);
  return `${here} · ${t("step.next", { move: what ? `${next} (${what})` : next })}`;
}

/** What a move turns; empty if the puzzle is not known in space. @param {string} move */
function inWords(move) {
  const { puzzle } = model;
  if (!puzzle?.solid) return "";
  const solid = new Solid(puzzle.solid);
  const turn = solid.turns.get(move);
  return turn ? turnInWords(solid, puzzle, turn) : "";
}
