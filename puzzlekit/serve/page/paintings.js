// What is painted on each puzzle, kept as long as the tab is open: neither a slip of the finger in
// the choice of the puzzle nor a reload loses the work.

import { model } from "./model.js";
import { load, save } from "./store.js";

/** @typedef {import("./model.js").Painted} Painted */

const KEY = "puzzlekit paintings";
const session = () => sessionStorage;

/** @returns {Record<string, Painted & {symbols: string}>} by puzzle */
function kept() {
  return load(session, KEY);
}

/**
 * What was last painted on a puzzle.
 * @param {import("./model.js").PuzzleRecord} puzzle
 * @param {import("./scheme.js").Scheme} scheme
 * @returns {Painted | null} null if nothing was, in these colours
 */
export function lastPainted(puzzle, scheme) {
  const last = kept()[puzzle.name];
  const fits = last?.symbols === scheme.symbols && last.stickers?.length === puzzle.solved.length;
  return last && fits ? last : null;
}

model.addEventListener("stickers", () => {
  const { puzzle, scheme, stickers, source } = model;
  if (!puzzle || !scheme) return;
  const { symbols } = scheme;
  save(session, KEY, { ...kept(), [puzzle.name]: { symbols, stickers, source } });
});
