// The replay on the net: the puzzle after each move, in the painted colours.

import { model } from "./model.js";
import { Net } from "./net.js";
import { Solid } from "./solid.js";
import { steps } from "./steps.js";
import { turnInWords } from "./words.js";

/** @param {Element} container @param {Element} caption says in words which move it is */
export function startReplay(container, caption) {
  const net = new Net(container, { label: "Net of the solution" });

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
function words({ moves, solved, end = solved ? "solved" : "not solved" }, at) {
  if (!moves.length) return solved ? `${end}: no moves are needed` : "no moves";
  const here = at ? `move ${at} of ${moves.length}: ${moves[at - 1]}` : "start";
  const next = moves[at];
  return `${here} · ${next === undefined ? end : `next ${next}${inWords(next)}`}`;
}

/** What a move turns, in brackets; empty if the puzzle is not known in space. @param {string} move */
function inWords(move) {
  const { puzzle } = model;
  if (!puzzle?.solid) return "";
  const solid = new Solid(puzzle.solid);
  const turn = solid.turns.get(move);
  return turn ? ` (${turnInWords(solid, puzzle, turn)})` : "";
}
