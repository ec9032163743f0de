// The replay on the net: the puzzle after each move, in the painted colours.

import { model } from "./model.js";
import { Net } from "./net.js";
import { Solid } from "./solid.js";
import { steps } from "./steps.js";
import { t } from "./texts.js";
import { turnInWords } from "./words.js";

/** @param {Element} container @param {Element} caption says in words which move it is */
export function startReplay(container, caption) {
  const net = new Net(container, { label: t("solution.net") });

  const show = () => {
    const { walk, at } = steps;
    const now = walk?.frames[at] ?? "";
    if (model.scheme) net.show(model.scheme.fromFaces(now), model.scheme);
    net.mark(changes(now, walk?.frames[at + 1] ?? ""), "moving");
    caption.textContent = walk ? words(walk, at) : "";
  };

  const layout = () => {
    if (model.puzzle) net.layout(model.puzzle);
    show();
  };
  model.addEventListener("puzzle", layout);
  model.addEventListener("scheme", show);
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
 * @returns {string}
 */
function words({ moves, marks = [], solved, end = t(solved ? "solved" : "not-solved") }, at) {
  if (!moves.length) return solved ? `${end}: ${t("no-moves-needed")}` : t("no-moves");
  const place = { at, of: moves.length, move: moves[at - 1] ?? "" };
  const mark = marks.find(({ first, last }) => at >= first && at < last);
  const step = mark ? `${mark.name} · ` : "";
  const here = step + (at ? t("step.at", place) : t("step.start"));
  const next = moves[at];
  return `${here} · ${next === undefined ? end : t("step.next", { move: `${next}${inWords(next)}` })}`;
}

/** What a move turns, in brackets; empty if the puzzle is not known in space. @param {string} move */
function inWords(move) {
  const { puzzle } = model;
  if (!puzzle?.solid) return "";
  const solid = new Solid(puzzle.solid);
  const turn = solid.turns.get(move);
  return turn ? ` (${turnInWords(solid, puzzle, turn)})` : "";
}
